import { type Cause, invalidCause } from '../cause.ts';
import type { ValueCheck } from './check.ts';
import type { ValueSchema } from '../structural.ts';

type CheckFunction = (check: ValueCheck) => Cause[];

/** Checks `anyOf`, `oneOf`, `allOf` and `not`. A failed choice also reports the problems of its first alternative. */
export function checkCombinations(check: ValueCheck, judge: CheckFunction): Cause[] {
  if (!isCombined(check.schema)) return [];
  const causesOf = (schema: ValueSchema): Cause[] => judge({ ...check, schema, old: undefined });
  const { anyOf = [], oneOf = [], allOf = [], not } = check.schema;
  return [
    ...(anyOf.length > 0 ? checkAny(check, anyOf.map(causesOf)) : []),
    ...(oneOf.length > 0 ? checkOne(check, oneOf.map(causesOf)) : []),
    ...(allOf.length > 0 ? checkAll(check, allOf.map(causesOf)) : []),
    ...(not !== undefined && causesOf(not).length === 0
      ? [combinationCause(check, 'must not validate the schema (not)')]
      : []),
  ];
}

const isCombined = ({ anyOf, oneOf, allOf, not }: ValueSchema): boolean =>
  anyOf !== undefined || oneOf !== undefined || allOf !== undefined || not !== undefined;

const combinationCause = ({ place }: ValueCheck, detail: string): Cause =>
  invalidCause(place.root, '', `${JSON.stringify(place.path)} ${detail}`);

function checkAny(check: ValueCheck, results: readonly Cause[][]): Cause[] {
  if (results.some((causes) => causes.length === 0)) return [];
  return [combinationCause(check, 'must validate at least one schema (anyOf)'), ...leastWrong(results)];
}

function checkOne(check: ValueCheck, results: readonly Cause[][]): Cause[] {
  const valid = results.filter((causes) => causes.length === 0).length;
  if (valid === 1) return [];
  const detail = 'must validate one and only one schema (oneOf).';
  if (valid > 1) return [combinationCause(check, `${detail} Found ${valid} valid alternatives`)];
  return [combinationCause(check, `${detail} Found none valid`), ...leastWrong(results)];
}

function checkAll(check: ValueCheck, results: readonly Cause[][]): Cause[] {
  const failures = results.flat();
  if (failures.length === 0) return [];
  const some = results.some((causes) => causes.length === 0) ? '' : '. None validated';
  return [combinationCause(check, `must validate all the schemas (allOf)${some}`), ...failures];
}

const leastWrong = (results: readonly Cause[][]): Cause[] => results[0] ?? [];
