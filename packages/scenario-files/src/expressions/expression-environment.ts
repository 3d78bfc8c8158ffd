import { Environment } from '@marcbachmann/cel-js';
import { factClasses } from './facts.ts';
import { factLists, factTables, type FactType, factValues } from './fact-tables.ts';

/** The names that the expression library has for types. */
const libraryTypes: Partial<Readonly<Record<FactType, string>>> = {
  duration: 'google.protobuf.Duration',
  timestamp: 'google.protobuf.Timestamp',
};

const libraryTypeOf = (type: FactType): string => libraryTypes[type] ?? type;

/** CEL with the lists and values of a scenario. Types are known, so that a wrong field is found before the run. */
export function createExpressionEnvironment(): Environment {
  const environment = new Environment();
  for (const list of factLists) {
    const { type, fields } = factTables[list];
    const types = Object.entries(fields).map(([name, field]) => [name, libraryTypeOf(field.type)] as const);
    environment.registerType(type, { ctor: factClasses[list], fields: Object.fromEntries(types) });
    environment.registerVariable(list, `list<${type}>`);
  }
  for (const [name, { type }] of Object.entries(factValues)) environment.registerVariable(name, libraryTypeOf(type));
  return registerNumbers(environment);
}

/** What lists of numbers need: their sum, and the least and greatest of them. An empty list has the sum 0 and no extremes. */
function registerNumbers(environment: Environment): Environment {
  return environment
    .registerFunction('list<double>.sum(): double', (all: readonly number[]) =>
      all.reduce((sum, each) => sum + each, 0),
    )
    .registerFunction('list<int>.sum(): int', (all: readonly bigint[]) => all.reduce((sum, each) => sum + each, 0n))
    .registerFunction('list<double>.max(): double', (all: readonly number[]) => Math.max(...all))
    .registerFunction('list<double>.min(): double', (all: readonly number[]) => Math.min(...all))
    .registerFunction('list<int>.max(): int', (all: readonly bigint[]) => extremeOf(all, (a, b) => a > b))
    .registerFunction('list<int>.min(): int', (all: readonly bigint[]) => extremeOf(all, (a, b) => a < b))
    .registerFunction('list<string>.unique(): list<string>', (all: readonly string[]) => [...new Set(all)]);
}

function extremeOf(all: readonly bigint[], isBetter: (a: bigint, b: bigint) => boolean): bigint {
  const [first, ...rest] = all;
  if (first === undefined) throw new RangeError('the list is empty, and has no least or greatest number');
  return rest.reduce((best, each) => (isBetter(each, best) ? each : best), first);
}
