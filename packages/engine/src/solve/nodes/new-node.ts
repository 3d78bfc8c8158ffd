import { kubernetesLabels, writeOwn } from '@nodewright/apis';
import { type MinValuesShortfall, withoutKeys } from '@nodewright/requirements';
import { textOfSet } from '../bit-set.ts';
import type { InstanceType, Resources } from '../../instance-types/instance-type.ts';
import { wholeTypes } from '../../instance-types/offering-overrides.ts';
import { pinOfferings } from './pinned-offerings.ts';
import { shortOf, type PlannedNode } from './planned-node.ts';
import type { NewNode } from '../problem.ts';
import { reservedOnly } from './reserved-capacity.ts';
import { addResources, commonMinimum } from '../../instance-types/resources.ts';

/** The most instance types that one launch chooses from. */
const mostInstanceTypes = 600;

const hostname: ReadonlySet<string> = new Set([kubernetesLabels.hostname]);

/** The finished node, or the minimum counts that its cheapest types do not meet. */
export type FinishedNode = { readonly node: NewNode } | { readonly short: readonly MinValuesShortfall[] };

/** The types of a launch, the cheapest first, and the least that daemons take on any of them. */
type TypeChoice = {
  readonly instanceTypes: readonly InstanceType[];
  readonly overhead: Resources;
  readonly short: readonly MinValuesShortfall[];
};

/** Gives planned nodes their finished form: cheapest types first and cut to the most a launch takes. Equal nodes share one list of types. */
export function nodeFinisher(
  minValuesPolicy: 'Strict' | 'BestEffort',
  names: readonly string[],
): (planned: PlannedNode) => FinishedNode {
  const choices = new Map<string, TypeChoice>();
  return (planned) => {
    const { template, pods, minValuesRelaxed, held } = planned;
    const buyable = held.length === 0 ? planned : reservedOnly(template.table, boughtTypes(planned), held);
    const node = template.table.isSplit ? pinOfferings(boughtTypes(buyable)) : buyable;
    const { requirements, types } = node;
    const identity = `${template.nodePool.metadata.name} ${textOfSet(types)} ${template.table.purchaseIdentity(requirements)}`;
    const choice = (template.countsValues ? undefined : choices.get(identity)) ?? choiceOf(node);
    choices.set(identity, choice);
    if (choice.short.length > 0 && minValuesPolicy === 'Strict') return { short: choice.short };
    return {
      node: {
        nodePool: template.nodePool,
        requirements: withoutKeys(requirements, hostname),
        instanceTypes: choice.instanceTypes,
        requests: addResources(requestsOfNode(planned, names), choice.overhead),
        pods: [...pods],
        minValuesRelaxed,
      },
    };
  };
}

type BoughtTypes = Pick<PlannedNode, 'template' | 'types' | 'requirements'>;

const boughtTypes = ({ template, types, requirements }: BoughtTypes): BoughtTypes => ({
  template,
  types,
  requirements,
});

/** Every resource that some pod names, even with a request of zero. */
function requestsOfNode({ total, asked }: PlannedNode, names: readonly string[]): Resources {
  const named = new Set<string>();
  for (const requests of asked) for (const name in requests) named.add(name);
  const together: Record<string, number> = {};
  for (const [index, name] of names.entries()) if (named.has(name)) writeOwn(together, name, total[index] ?? 0);
  return together;
}

function choiceOf({ template, types, requirements }: BoughtTypes): TypeChoice {
  const listing = template.table.cheapestFirst(types, requirements, mostInstanceTypes);
  const { options } = listing;
  const { overheads } = template.table;
  const overhead = commonMinimum(
    overheads.length === 1 ? overheads : [...new Set(options.map(({ daemons }) => daemons.requests))],
  );
  const instanceTypes = template.table.isSplit ? wholeTypes(options) : listing.types;
  return { instanceTypes, overhead, short: shortOf(requirements, () => options) };
}
