import type { CostMeter } from './cost-meter.ts';

/** A node of a parsed expression, as the library stores it. Version 8 of the library runs every node through its `evaluate`. */
type LibraryNode = {
  readonly op: string;
  readonly args: unknown;
  readonly meta: {
    readonly evaluate: Evaluate<LibraryNode>;
    /** The expansion of a macro such as `all`. */
    readonly alternate?: LibraryNode;
    /** The evaluator of a macro without an expansion, such as `has`. */
    readonly macro?: LibraryMacro;
  };
  evaluate: Evaluate<LibraryNode>;
};

type LibraryMacro = { readonly evaluate: Evaluate<LibraryMacro> };
type Evaluate<Subject> = (evaluator: LibraryEvaluator, subject: Subject, context: unknown) => unknown;
type LibraryEvaluator = { readonly run: (node: LibraryNode, context: unknown) => unknown };

/** Adds cost metering to every node of an expression. The library itself has no time limit. */
export function meterNodes(root: unknown, meter: CostMeter): void {
  const seen = new Set<unknown>();
  const visit = (value: unknown, isTraversed: boolean): void => {
    if (typeof value !== 'object' || value === null || seen.has(value)) return;
    seen.add(value);
    if (isNode(value)) {
      visit(value.meta.alternate, isTraversed);
      visit(value.meta.macro, false);
      meterNode(value, { meter, isTraversed });
    }
    const inner = isNode(value) ? value.args : Object.values(value);
    for (const each of Array.isArray(inner) ? inner : [inner]) visitInner(each, isNode(value) && traverses(value));
  };
  const visitInner = (value: unknown, isTraversed: boolean): void => {
    if (Array.isArray(value)) for (const each of value) visitInner(each, isTraversed);
    else visit(value, isTraversed);
  };
  visit(root, false);
}

const isNode = (value: object): value is LibraryNode => 'op' in value && 'meta' in value && 'evaluate' in value;

type Metering = { readonly meter: CostMeter; readonly isTraversed: boolean };

function meterNode(node: LibraryNode, { meter, isTraversed }: Metering): void {
  const cost = costOf(node);
  node.evaluate = (evaluator, _node, context) => {
    meter.spend(cost);
    const value = run(node, evaluator, context);
    if (isTraversed) meter.spendSizeOf(value);
    return value;
  };
}

function run(node: LibraryNode, evaluator: LibraryEvaluator, context: unknown): unknown {
  const { alternate, macro, evaluate } = node.meta;
  if (alternate !== undefined) return alternate.evaluate(evaluator, alternate, context);
  if (macro !== undefined) return macro.evaluate(evaluator, macro, context);
  return node.op === 'map' ? meteredMapNode(node, evaluator, context) : evaluate(evaluator, node, context);
}

/** Evaluates a map literal. The library would create a plain object, without keys that have a meaning in JavaScript. */
const meteredMapNode = (
  { args }: LibraryNode,
  evaluator: LibraryEvaluator,
  context: unknown,
): ReadonlyMap<unknown, unknown> =>
  new Map(
    (args as readonly (readonly [LibraryNode, LibraryNode])[]).map(([key, value]) => [
      evaluator.run(key, context),
      evaluator.run(value, context),
    ]),
  );

const costs: ReadonlyMap<string, number> = new Map([
  ['value', 0],
  ['list', 10],
  ['map', 30],
]);

const costOf = ({ op }: LibraryNode): number => costs.get(op) ?? 1;

const traversing: ReadonlySet<string> = new Set(['in', '==', '!=', '+', '<', '<=', '>', '>=', 'call', 'rcall']);
/** Operations whose cost does not depend on the size of their operands. */
const constant: ReadonlySet<unknown> = new Set(['size', 'has', 'hasValue', 'value', 'type']);

/** Whether the operation may read all of its operands. */
const traverses = ({ op, args }: LibraryNode): boolean =>
  traversing.has(op) && !(Array.isArray(args) && typeof args[0] === 'string' && constant.has(args[0]));
