import { byText, karpenterLabels, kubernetesLabels, byNumberOf, inOrder } from '@nodewright/apis';
import { requirementsIntersect, intersectSets, requireOneOf, type Requirements } from '@nodewright/requirements';
import { hasBit, type BitSet } from '../bit-set.ts';
import type { Offering } from '../../instance-types/instance-type.ts';
import type { NodeTemplate } from './node-template.ts';

type PinnableNode = {
  readonly template: Pick<NodeTemplate, 'table'>;
  readonly requirements: Requirements;
  readonly types: BitSet;
};

/**
 * Narrows the labels of a node until its requirements admit no offering of its types on which
 * its pods do not fit. Where no list of zones or capacity types tells the offerings apart, only the cheapest offering
 * is left.
 */
export function pinOfferings<T extends PinnableNode>(node: T): T {
  const { table } = node.template;
  if (unfitOf(node).length === 0) return node;
  const fit = fitOf(node);
  let { requirements } = node;
  for (const label of labelsOfNode(fit)) {
    const values = fit.flatMap((offering) => valuesOfLabel(offering, label) ?? []);
    const tells = unfitOf({ ...node, requirements }).some(
      (offering) => !(valuesOfLabel(offering, label) ?? []).some((value) => values.includes(value)),
    );
    if (tells) requirements = intersectSets(requirements, new Map([[label, requireOneOf(label, values)]]));
  }
  if (unfitOf({ ...node, requirements }).length > 0) {
    const [cheapest] = fit.toSorted(
      inOrder(
        byNumberOf(({ priceMicroUsdPerHour }) => priceMicroUsdPerHour),
        byWay,
      ),
    );
    if (cheapest !== undefined) requirements = intersectSets(requirements, cheapest.requirements);
  }
  const types = node.types.slice();
  table.keepOffered(requirements, types);
  return { ...node, requirements, types };
}

/** Available offerings that the requirements admit, of the node's own options. */
const fitOf = ({ template: { table }, requirements, types }: PinnableNode): readonly Offering[] =>
  table.members(types).flatMap(({ type }) => boughtOfferings(type.offerings, requirements));

/** Available offerings of the options that the node must not become, although it may be another option of their type. */
function unfitOf({ template: { table }, requirements, types }: PinnableNode): readonly Offering[] {
  const wholes = new Set(
    table
      .members(types)
      .filter(({ type }) => boughtOfferings(type.offerings, requirements).length > 0)
      .map(({ whole }) => whole),
  );
  return table.options
    .filter(({ whole }, option) => wholes.has(whole) && !hasBit(types, option))
    .flatMap(({ type }) => boughtOfferings(type.offerings, requirements));
}

const boughtOfferings = (offerings: readonly Offering[], requirements: Requirements): readonly Offering[] =>
  offerings.filter((offering) => offering.available && requirementsIntersect(requirements, offering.requirements));

/** Labels that all of the offerings decide, zone and capacity type first. */
function labelsOfNode(offerings: readonly Offering[]): readonly string[] {
  const [first] = offerings;
  const own = [...(first?.requirements.keys() ?? [])].toSorted();
  return [...new Set([kubernetesLabels.zone, karpenterLabels.capacityType, ...own])].filter((label) =>
    offerings.every((offering) => valuesOfLabel(offering, label) !== undefined),
  );
}

function valuesOfLabel({ requirements }: Offering, label: string): readonly string[] | undefined {
  const r = requirements.get(label);
  return r === undefined || r.complement ? undefined : [...r.values];
}

const byWay = (a: Offering, b: Offering): number => byText(wayText(a), wayText(b));

const wayText = ({ zone, capacityType, reservation }: Offering): string =>
  `${zone} ${capacityType} ${reservation?.id ?? ''}`;
