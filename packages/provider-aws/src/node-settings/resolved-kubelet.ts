import { isQuantity } from '@nodewright/apis';
import type { ExpressionVariables, KubeletExpressions } from './kubelet-expressions.ts';
import { toTexts } from './kubelet-settings.ts';

/** The `kubelet` of an EC2NodeClass as it was written. */
export type KubeletMembers = Readonly<Record<string, unknown>>;
type TypeVariables = Omit<ExpressionVariables, 'maxPods'>;
type KubeletAmounts = Readonly<Record<string, string>>;

/** An expression of `spec.kubelet` that gives nothing of use for an instance type. */
export type ExpressionFailure = { readonly field: string; readonly text: string; readonly why: string };

export type ReservedMaps = { readonly kubeReserved: KubeletAmounts; readonly systemReserved: KubeletAmounts };

const mostPods = 2 ** 31 - 1;

/** `maxPods` as a number, where it is one or an expression that gives one; `undefined` where nothing is said. */
export function resolveMaxPods(
  { maxPods }: KubeletMembers,
  expressions: KubeletExpressions | undefined,
  variables: ExpressionVariables,
): number | ExpressionFailure | undefined {
  if (typeof maxPods === 'number') return maxPods;
  if (typeof maxPods !== 'string' || expressions === undefined) return undefined;
  const result = expressions.evaluate(maxPods, variables);
  if (result.kind === 'failed') return { field: 'maxPods', text: maxPods, why: result.why };
  return result.value >= 0 && result.value <= mostPods
    ? result.value
    : { field: 'maxPods', text: maxPods, why: `it gives ${result.value}, wanted 0 to ${mostPods}` };
}

/** Both maps as quantities, and the expressions that give none. Those entries are left out. */
export function resolveReserved(
  kubelet: KubeletMembers,
  expressions: KubeletExpressions | undefined,
  variables: ExpressionVariables,
): { readonly reserved: ReservedMaps; readonly failures: readonly ExpressionFailure[] } {
  const failures: ExpressionFailure[] = [];
  const resolve = (field: keyof ReservedMaps): KubeletAmounts =>
    Object.fromEntries(
      Object.entries(toTexts(kubelet[field])).flatMap(([name, text]) => {
        if (isQuantity(text)) return [[name, text] as const];
        if (expressions === undefined) return [];
        const result = expressions.evaluate(text, variables);
        if (result.kind === 'number' && result.value >= 0) return [[name, printReserved(name, result.value)] as const];
        const why = result.kind === 'failed' ? result.why : `it gives ${result.value}, wanted 0 or more`;
        failures.push({ field: `${field}[${name}]`, text, why });
        return [];
      }),
    );
  return { reserved: { kubeReserved: resolve('kubeReserved'), systemReserved: resolve('systemReserved') }, failures };
}

/** CPU in steps of 10m, memory in steps of 16Mi, both rounded up. */
function printReserved(name: string, value: number): string {
  switch (name) {
    case 'cpu':
      return `${Math.ceil(value / 10) * 10}m`;
    case 'memory':
      return `${Math.ceil(value / 16) * 16}Mi`;
    case 'ephemeral-storage':
      return `${value}Gi`;
    default:
      return String(value);
  }
}

/** What is wrong with the expressions for one instance type, `maxPods` first. */
export function listExpressionFailures(
  kubelet: KubeletMembers,
  expressions: KubeletExpressions,
  { type, defaultMaxPods }: { readonly type: TypeVariables; readonly defaultMaxPods: number },
): readonly ExpressionFailure[] {
  const pods = resolveMaxPods(kubelet, expressions, { ...type, maxPods: defaultMaxPods });
  if (typeof pods === 'object') return [pods];
  return resolveReserved(kubelet, expressions, { ...type, maxPods: pods ?? defaultMaxPods }).failures;
}

export const printExpressionFailure = ({ field, text, why }: ExpressionFailure): string =>
  `spec.kubelet.${field} is ${JSON.stringify(text)}: ${why}`;
