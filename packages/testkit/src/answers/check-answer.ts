import { existsSync, readFileSync } from 'node:fs';
import {
  type AnswerListener,
  compileAnswerConstraints,
  listMembers,
  operationName,
  outputShape,
  type Shape,
  type Violation,
} from '@nodewright/aws-endpoints';

/** What the models of AWS say of answers, by service; `scripts/generate-aws-constraints.mjs` makes the files. */
const tables = new Map<string, ReturnType<typeof compileAnswerConstraints> | undefined>();

function tableOf(service: string): ReturnType<typeof compileAnswerConstraints> | undefined {
  if (tables.has(service)) return tables.get(service);
  const file = new URL(`../../testdata/answers/${fileNames.get(service) ?? service}.generated.json`, import.meta.url);
  const table = existsSync(file) ? compileAnswerConstraints(readFileSync(file, 'utf8')) : undefined;
  tables.set(service, table);
  return table;
}

/** Services whose models have another name than their signatures. */
const fileNames: ReadonlyMap<string, string> = new Map([['servicequotas', 'service-quotas']]);

/**
 * Holds an answer to the model of its operation: members that the model has, values of their types, required members,
 * enumerations, patterns, lengths and bounds.
 * @throws Error that names the first members that differ
 */
export const checkAnswer: AnswerListener = (service, operation, output) => {
  const found = [
    ...listMistypes(outputShape(operation), output, ''),
    ...(tableOf(service)?.(operation, output) ?? []).filter(isViolation).map(describeViolation),
  ];
  if (found.length > 0)
    throw new Error(
      `${service} ${operationName(operation)} answers what its model lacks: ${found.slice(0, 5).join('; ')}`,
    );
};

/**
 * AWS answers with empty lists, maps and texts where its models have a least length for requests, and with these values
 * where its enumerations have others.
 */
function isViolation({ kind, value, type = '' }: Violation): boolean {
  if (kind === 'values') return knownBesideModels.get(type)?.test(String(value)) !== true;
  return kind !== 'least' || (value !== '' && (typeof value !== 'object' || Object.keys(value ?? {}).length > 0));
}

const knownBesideModels: ReadonlyMap<string, RegExp> = new Map([
  ['AttachmentStatus', /^available$/],
  ['PlatformValues', /^windows$/],
  ['State', /^(pending|available|deleting|deleted)$/],
]);

/** Members that records have for filters only. The protocols leave out what a model lacks. */
const onlyForFilters = /\.Association\.(AllocationId|AssociationId)$/;

const describeViolation = (violation: Violation): string => {
  const { path, value } = violation;
  const rule =
    violation.kind === 'values'
      ? 'not one of the values'
      : JSON.stringify({ ...violation, value: undefined, path: undefined });
  return `${path.join('.')} is ${JSON.stringify(value)?.slice(0, 80)}: ${rule}`;
};

/** Lists members that the shape lacks, and values that are not of its type. */
function listMistypes(shape: Shape, value: unknown, path: string): readonly string[] {
  if (value === undefined || value === null) return [];
  if (shape.isUnitSchema()) return Object.keys(value).length === 0 ? [] : [`${path} has members`];
  if (shape.isDocumentSchema()) return [];
  if (shape.isStructSchema()) return listMistypedMembers(shape, value, path);
  if (shape.isListSchema()) {
    if (!Array.isArray(value)) return [`${path} is no list`];
    return value.flatMap((item, at) => listMistypes(shape.getValueSchema(), item, `${path}[${at}]`));
  }
  if (shape.isMapSchema()) {
    if (typeof value !== 'object') return [`${path} is no map`];
    return Object.entries(value).flatMap(([key, each]) =>
      listMistypes(shape.getValueSchema(), each, `${path}{${key}}`),
    );
  }
  return isOfType(shape, value) ? [] : [`${path} is ${JSON.stringify(value)}, a ${typeof value}`];
}

function listMistypedMembers(shape: Shape, value: object, path: string): readonly string[] {
  if (typeof value !== 'object') return [`${path} is no structure`];
  const members = new Map(listMembers(shape));
  return Object.entries(value).flatMap(([name, each]) => {
    const member = members.get(name);
    if (member === undefined)
      return each === undefined || onlyForFilters.test(`${path}.${name}`) ? [] : [`${path}.${name} is no member`];
    return listMistypes(member, each, `${path}.${name}`);
  });
}

function isOfType(shape: Shape, value: unknown): boolean {
  if (shape.isTimestampSchema()) return Object.prototype.toString.call(value) === '[object Date]';
  if (shape.isBooleanSchema()) return typeof value === 'boolean';
  if (shape.isNumericSchema() || shape.isBigIntegerSchema())
    return typeof value === 'number' || typeof value === 'bigint';
  if (shape.isStringSchema()) return typeof value === 'string';
  return true;
}
