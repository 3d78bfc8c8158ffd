import type { CostMeter } from './cost-meter.ts';

/** A node of a parsed expression, as the library keeps it. Version 8 of the library runs every node by its `evaluate`. */
type LibraryNode = {
  readonly op: string;
  readonly args: unknown;
  readonly meta: {
    readonly evaluate: Evaluate<LibraryNode>;
    /** What a macro such as `all` stands for. */
    readonly alternate?: LibraryNode;
    /** A macro that runs by itself, such as `has`. */
    readonly macro?: LibraryMacro;
  };
  evaluate: Evaluate<LibraryNode>;
};

type LibraryMacro = { readonly evaluate: Evaluate<LibraryMacro> };
type Evaluate<Subject> = (evaluator: LibraryEvaluator, subject: Subject, context: unknown) => unknown;
type LibraryEvaluator = { readonly run: (node: LibraryNode, context: unknown) => unknown };

/** Makes every node of an expression spend what it costs. The library has no limit of its own for the time it takes. */
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
  return node.op === 'map' ? mapOf(node, evaluator, context) : evaluate(evaluator, node, context);
}

/** The library makes a plain object of a map, without the keys that mean something to JavaScript. */
const mapOf = ({ args }: LibraryNode, evaluator: LibraryEvaluator, context: unknown): ReadonlyMap<unknown, unknown> =>
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
/** These know their answer without a look at what they are asked about. */
const constant: ReadonlySet<unknown> = new Set(['size', 'has', 'hasValue', 'value', 'type']);

/** Whether the operation may go through all of its operands. */
const traverses = ({ op, args }: LibraryNode): boolean =>
  traversing.has(op) && !(Array.isArray(args) && typeof args[0] === 'string' && constant.has(args[0]));
