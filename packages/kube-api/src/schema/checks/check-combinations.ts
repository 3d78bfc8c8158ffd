import { type Cause, invalid } from '../cause.ts';
import type { Check } from './check.ts';
import type { StructuralSchema } from '../structural.ts';

type Judge = (check: Check) => Cause[];

/** `anyOf`, `oneOf`, `allOf` and `not`. A failed choice also tells what is wrong with its best alternative. */
export function checkCombinations(check: Check, judge: Judge): Cause[] {
  const causesOf = (schema: StructuralSchema): Cause[] => judge({ ...check, schema, old: undefined });
  const { anyOf = [], oneOf = [], allOf = [], not } = check.schema;
  return [
    ...(anyOf.length > 0 ? checkAny(check, anyOf.map(causesOf)) : []),
    ...(oneOf.length > 0 ? checkOne(check, oneOf.map(causesOf)) : []),
    ...(allOf.length > 0 ? checkAll(check, allOf.map(causesOf)) : []),
    ...(not !== undefined && causesOf(not).length === 0 ? [says(check, 'must not validate the schema (not)')] : []),
  ];
}

const says = ({ place }: Check, detail: string): Cause =>
  invalid(place.root, '', `${JSON.stringify(place.path)} ${detail}`);

function checkAny(check: Check, results: readonly Cause[][]): Cause[] {
  if (results.some((causes) => causes.length === 0)) return [];
  return [says(check, 'must validate at least one schema (anyOf)'), ...leastWrong(results)];
}

function checkOne(check: Check, results: readonly Cause[][]): Cause[] {
  const valid = results.filter((causes) => causes.length === 0).length;
  if (valid === 1) return [];
  const detail = 'must validate one and only one schema (oneOf).';
  if (valid > 1) return [says(check, `${detail} Found ${valid} valid alternatives`)];
  return [says(check, `${detail} Found none valid`), ...leastWrong(results)];
}

function checkAll(check: Check, results: readonly Cause[][]): Cause[] {
  const failures = results.flat();
  if (failures.length === 0) return [];
  const some = results.some((causes) => causes.length === 0) ? '' : '. None validated';
  return [says(check, `must validate all the schemas (allOf)${some}`), ...failures];
}

const leastWrong = (results: readonly Cause[][]): Cause[] => results[0] ?? [];
