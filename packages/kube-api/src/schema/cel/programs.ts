import { Environment, ParseError } from '@marcbachmann/cel-js';
import { CostMeter, costExceededText } from './cost-meter.ts';
import { failureText } from './failure.ts';
import { registerLibrary, replacedCalls } from './library.ts';
import { meterNodes } from './metered-nodes.ts';
import { renameCalls } from './rewrite.ts';

/** The result of an evaluation: a value or an error. */
export type RuleEvaluation = { readonly cost: number } & (
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'failed'; readonly error: string }
  /** It would have cost more than an evaluation may. */
  | { readonly kind: 'tooCostly'; readonly error: string }
);

/** A compiled expression. */
export type CelProgram = (variables: Record<string, unknown>) => RuleEvaluation;

type ProgramOptions = {
  /** The names that an expression may read. */
  readonly variables: readonly string[];
  /** Adds functions to those of every expression. */
  readonly extend?: (environment: Environment) => Environment;
};

/**
 * Compiles CEL expressions. Regular expressions run in linear time, integers have 64 bits, and an evaluation ends at the
 * cost limit of Kubernetes.
 */
export class CelPrograms {
  readonly #options: ProgramOptions;
  readonly #meter = new CostMeter();
  #environment: Environment | undefined;

  constructor(options: ProgramOptions) {
    this.#options = options;
  }

  /** @throws SyntaxError for text that is no expression */
  compile(text: string): CelProgram {
    const program = this.#parse(renameCalls(text, replacedCalls));
    return (variables) => this.#measured(() => program(variables));
  }

  /** An expression may catch the error that ends it, so the meter decides the result. */
  #measured(run: () => unknown): RuleEvaluation {
    const meter = this.#meter;
    meter.start();
    try {
      const value = run();
      if (!meter.isExceeded) return { kind: 'value', value, cost: meter.cost };
    } catch (error) {
      if (!meter.isExceeded) return { kind: 'failed', error: failureText(error) ?? rethrown(error), cost: meter.cost };
    }
    return { kind: 'tooCostly', error: costExceededText, cost: meter.cost };
  }

  #parse(text: string): (variables: Record<string, unknown>) => unknown {
    this.#environment ??= this.#newEnvironment();
    try {
      const program = this.#environment.parse(text);
      meterNodes(program.ast, this.#meter);
      return program;
    } catch (error) {
      if (error instanceof ParseError) throw new SyntaxError(error.summary, { cause: error });
      throw error;
    }
  }

  #newEnvironment(): Environment {
    const { variables, extend = (environment) => environment } = this.#options;
    const plain = new Environment({
      enableOptionalTypes: true,
      homogeneousAggregateLiterals: false,
      limits: { maxAstNodes: 100_000, maxListElements: 10_000, maxMapEntries: 10_000 },
    });
    const named = variables.reduce((environment, name) => environment.registerVariable(name, 'dyn'), plain);
    return extend(registerLibrary(named));
  }
}

function rethrown(error: unknown): never {
  throw error;
}
