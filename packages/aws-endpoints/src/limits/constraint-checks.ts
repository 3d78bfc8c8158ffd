import { readOwn } from '@nodewright/apis';
import { makeLazily, perKey } from '../codec/lazily.ts';
import { inputShape, listMembers, outputShape, type OperationSchema, type Shape, textTrait } from '../codec/shape.ts';
import { type ConstraintTable, readConstraintTable, type TypeConstraints } from './constraint-table.ts';

/** A constraint of a type that a value does not keep. */
type BrokenConstraint =
  | { readonly kind: 'required' }
  | {
      readonly kind: 'least' | 'most';
      readonly bound: number;
      readonly of: 'length' | 'value';
      /** Both bounds of the type. */
      readonly range: { readonly min?: number; readonly max?: number };
    }
  | { readonly kind: 'pattern'; readonly pattern: string }
  | { readonly kind: 'values'; readonly values: readonly string[] };

/** A member of an input that does not keep a constraint of its model. */
export type Violation = BrokenConstraint & {
  /** Names of members, numbers of items from 1 on, and keys of maps. */
  readonly path: readonly (string | number)[];
  /** The name of the innermost member in forms. */
  readonly wireName: string;
  readonly value: unknown;
  /** The name of the type in the model, where a type is broken. */
  readonly type?: string;
  /** Whether the constraint is one of the keys or values of a map. */
  readonly inMap?: 'keys' | 'values';
};

/** Looks at a value, which is there, and adds what it does not keep. */
type Check = (value: unknown, state: CheckState) => void;

/** The path to the value that is looked at, and what was found. */
type CheckState = { readonly path: (string | number)[]; readonly found: Violation[] };

/** Lists what an input of an operation does not keep. */
export type ListViolations = (operation: OperationSchema, input: object) => readonly Violation[];

/** Compiles the table of a service when the first call comes, and each operation when it is first called. */
export const compileConstraints = (json: string): ListViolations => compileTable(json, inputShape);

/** Compiles a table of what answers keep. */
export const compileAnswerConstraints = (json: string): ListViolations => compileTable(json, outputShape);

function compileTable(json: string, shapeOf: (operation: OperationSchema) => Shape): ListViolations {
  const compiler = makeLazily(() => new ConstraintCompiler(readConstraintTable(json)));
  const checkOf = perKey((operation: OperationSchema) => ({ check: compiler().structure(shapeOf(operation)) }));
  return (operation, input) => {
    const { check } = checkOf(operation);
    if (check === undefined) return [];
    const state: CheckState = { path: [], found: [] };
    check(input, state);
    return state.found;
  };
}

/** Makes checks from the table. What has nothing to keep has no check, so that a call pays for its constraints only. */
class ConstraintCompiler {
  readonly #table: ConstraintTable;
  readonly #structures = new Map<string, { check: Check | undefined }>();
  readonly #types = new Map<string, Check>();

  constructor(table: ConstraintTable) {
    this.#table = table;
  }

  structure(shape: Shape): Check | undefined {
    if (shape.isUnitSchema()) return undefined;
    const name = shape.getName() ?? '';
    const known = this.#structures.get(name);
    if (known !== undefined) return known.check;
    // A structure inside of itself is looked up again when a value comes that has one.
    const made: { check: Check | undefined } = { check: (value, state) => made.check?.(value, state) };
    this.#structures.set(name, made);
    const members = [...listMembers(shape)].flatMap(([member, memberShape]) => this.#member(name, member, memberShape));
    made.check = members.length === 0 ? undefined : checkMembers(members);
    return made.check;
  }

  #member(structure: string, name: string, shape: Shape): readonly MemberCheck[] {
    const described = readOwn(readOwn(this.#table.structures, structure) ?? {}, name) ?? '';
    const isRequired = described.startsWith('!');
    const type = isRequired ? described.slice(1) : described;
    const checks = [...(type === '' ? [] : [this.#type(type, wireNameOf(name, shape))]), ...this.#inner(shape)];
    if (!isRequired && checks.length === 0) return [];
    return [{ name, wireName: wireNameOf(name, shape), isRequired, checks }];
  }

  /** The checks of structures inside of a member. */
  #inner(shape: Shape): readonly Check[] {
    if (shape.isStructSchema()) return [this.structure(shape) ?? []].flat();
    if (shape.isListSchema()) return this.#inner(shape.getValueSchema()).map(checkItems);
    if (shape.isMapSchema()) return this.#inner(shape.getValueSchema()).map(checkValues);
    return [];
  }

  #type(name: string, wireName: string): Check {
    const id = `${name} ${wireName}`;
    const known = this.#types.get(id);
    if (known !== undefined) return known;
    const check = this.#newType(name, wireName);
    this.#types.set(id, check);
    return check;
  }

  #newType(name: string, wireName: string): Check {
    const type = readOwn(this.#table.types, name);
    if (type === undefined) throw new Error(`the table of constraints lacks the type ${name}`);
    const listBroken = compileType(type);
    const items = type.of === undefined ? undefined : this.#type(type.of, wireName);
    const keys = type.key === undefined ? undefined : this.#type(type.key, wireName);
    return (value, state) => {
      for (const broken of listBroken(value))
        state.found.push({ ...broken, path: [...state.path], wireName, value, type: name });
      if (items !== undefined && Array.isArray(value)) checkItems(items)(value, state);
      else if (typeof value === 'object' && value !== null) {
        if (items !== undefined) checkMapParts(value, Object.values(value), { check: items, inMap: 'values' }, state);
        if (keys !== undefined) checkMapParts(value, Object.keys(value), { check: keys, inMap: 'keys' }, state);
      }
    };
  }
}

type MemberCheck = {
  readonly name: string;
  readonly wireName: string;
  readonly isRequired: boolean;
  readonly checks: readonly Check[];
};

const checkMembers =
  (members: readonly MemberCheck[]): Check =>
  (structure, state) => {
    for (const { name, wireName, isRequired, checks } of members) {
      const value = readOwn(structure as Readonly<Record<string, unknown>>, name);
      state.path.push(name);
      if (value !== undefined && value !== null) for (const check of checks) check(value, state);
      else if (isRequired) state.found.push({ kind: 'required', path: [...state.path], wireName, value });
      state.path.pop();
    }
  };

const checkItems =
  (check: Check): Check =>
  (items, state) => {
    for (const [at, item] of (items as readonly unknown[]).entries()) {
      state.path.push(at + 1);
      check(item, state);
      state.path.pop();
    }
  };

const checkValues =
  (check: Check): Check =>
  (map, state) => {
    for (const [key, value] of Object.entries(map as object)) {
      state.path.push(key);
      check(value, state);
      state.path.pop();
    }
  };

/** Constraints of keys and values are told of the map as a whole. */
function checkMapParts(
  map: object,
  parts: readonly unknown[],
  { check, inMap }: { readonly check: Check; readonly inMap: 'keys' | 'values' },
  state: CheckState,
): void {
  const inner: CheckState = { path: state.path, found: [] };
  for (const part of parts) check(part, inner);
  state.found.push(...inner.found.map((each) => ({ ...each, value: map, inMap })));
}

/** Compiles what a type says of its own values. */
function compileType({ min, max, pattern, flags = 'u', values }: TypeConstraints) {
  const expression = pattern === undefined ? undefined : new RegExp(`^(?:${pattern})$`, flags);
  const allowed = values === undefined ? undefined : new Set<unknown>(values);
  const range = { ...(min !== undefined && { min }), ...(max !== undefined && { max }) };
  return (value: unknown): readonly BrokenConstraint[] => {
    const size = measureValue(value);
    const of = typeof value === 'number' ? 'value' : 'length';
    const broken: BrokenConstraint[] = [];
    if (min !== undefined && size < min) broken.push({ kind: 'least', bound: min, of, range });
    if (max !== undefined && size > max) broken.push({ kind: 'most', bound: max, of, range });
    if (expression !== undefined && pattern !== undefined && typeof value === 'string' && !expression.test(value))
      broken.push({ kind: 'pattern', pattern });
    if (allowed !== undefined && values !== undefined && !allowed.has(value)) broken.push({ kind: 'values', values });
    return broken;
  };
}

function measureValue(value: unknown): number {
  if (typeof value === 'number') return value;
  if (typeof value === 'string' || Array.isArray(value)) return value.length;
  return typeof value === 'object' && value !== null ? Object.keys(value).length : 0;
}

/** The name of a member in EC2's forms and messages: `InstanceId` for `InstanceIds`. */
const wireNameOf = (name: string, shape: Shape): string =>
  textTrait(shape, 'ec2QueryName') ?? textTrait(shape, 'xmlName') ?? name;
