import {
  Environment,
  EvaluationError,
  ParseError,
  TypeError as CelTypeError,
  type ParseResult,
} from '@marcbachmann/cel-js';

/** What an expression in `spec.kubelet` may read of the instance type that it is evaluated for. */
export type ExpressionVariables = {
  readonly vcpus: number;
  /** As advertised. */
  readonly memoryMib: number;
  /** Network interfaces of the default network card. */
  readonly defaultEnis: number;
  readonly ipsPerEni: number;
  /** Pods of a node: by default where `maxPods` is computed, as resolved where reserved resources are. */
  readonly maxPods: number;
  readonly instanceType: string;
};

export type ExpressionResult =
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'failed'; readonly why: string };

type CompiledExpression =
  | { readonly kind: 'program'; readonly run: ParseResult }
  | { readonly kind: 'invalid'; readonly why: string };

/** CEL expressions in `spec.kubelet`: the gate `NodeClassCEL`. Each text is compiled once. */
export class KubeletExpressions {
  readonly #environment = newExpressionEnvironment();
  readonly #compiled = new Map<string, CompiledExpression>();

  /** Why a text is no expression that gives a number, whatever the instance type; `undefined` when it is one. */
  complaint(text: string): string | undefined {
    const compiled = this.#compile(text);
    return compiled.kind === 'invalid' ? compiled.why : undefined;
  }

  /** A whole number: doubles are cut off after the point. */
  evaluate(text: string, variables: ExpressionVariables): ExpressionResult {
    const compiled = this.#compile(text);
    if (compiled.kind === 'invalid') return { kind: 'failed', why: compiled.why };
    try {
      return readNumber(compiled.run(celVariables(variables)));
    } catch (error) {
      return { kind: 'failed', why: describeCelError(error) };
    }
  }

  #compile(text: string): CompiledExpression {
    const known = this.#compiled.get(text);
    if (known !== undefined) return known;
    const compiled = this.#compileAnew(text);
    this.#compiled.set(text, compiled);
    return compiled;
  }

  #compileAnew(text: string): CompiledExpression {
    try {
      const run = this.#environment.parse(text);
      const { valid, type = 'dyn', error } = run.check();
      if (!valid) return { kind: 'invalid', why: error?.summary ?? 'it is no valid expression' };
      return numericTypes.has(type)
        ? { kind: 'program', run }
        : { kind: 'invalid', why: `it gives a value of type ${type}, wanted a number` };
    } catch (error) {
      return { kind: 'invalid', why: describeCelError(error) };
    }
  }
}

const numericTypes: ReadonlySet<string> = new Set(['int', 'uint', 'double', 'dyn']);

function readNumber(result: unknown): ExpressionResult {
  const value = typeof result === 'bigint' ? Number(result) : result;
  if (typeof value !== 'number') return { kind: 'failed', why: `it gives a ${typeof value}, wanted a number` };
  return Number.isFinite(value)
    ? { kind: 'number', value: Math.trunc(value) }
    : { kind: 'failed', why: `it gives ${value}, wanted a finite number` };
}

function describeCelError(error: unknown): string {
  if (error instanceof ParseError || error instanceof CelTypeError || error instanceof EvaluationError)
    return error.summary;
  throw error;
}

const celVariables = (variables: ExpressionVariables) => ({
  vcpus: BigInt(variables.vcpus),
  memory_mib: BigInt(variables.memoryMib),
  default_enis: BigInt(variables.defaultEnis),
  ips_per_eni: BigInt(variables.ipsPerEni),
  max_pods: BigInt(variables.maxPods),
  instance_type: variables.instanceType,
});

type CelNumber = bigint | number;

const lesser = (a: CelNumber, b: CelNumber): CelNumber => (a < b ? a : b);
const greater = (a: CelNumber, b: CelNumber): CelNumber => (a > b ? a : b);

/** `min` and `max` of two integers are integers, of anything else doubles. */
function newExpressionEnvironment(): Environment {
  const environment = new Environment({ limits: { maxAstNodes: 1000, maxListElements: 100, maxMapEntries: 100 } })
    .registerVariable('vcpus', 'int')
    .registerVariable('memory_mib', 'int')
    .registerVariable('default_enis', 'int')
    .registerVariable('ips_per_eni', 'int')
    .registerVariable('max_pods', 'int')
    .registerVariable('instance_type', 'string');
  for (const [name, choose] of [
    ['min', lesser],
    ['max', greater],
  ] as const) {
    environment.registerFunction(`${name}(int, int): int`, choose);
    for (const types of ['int, double', 'double, int', 'double, double'])
      environment.registerFunction(`${name}(${types}): double`, (a: CelNumber, b: CelNumber) => Number(choose(a, b)));
  }
  return environment;
}
