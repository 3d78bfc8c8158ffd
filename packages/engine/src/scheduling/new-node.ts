import { kubernetesLabels } from '@nodewright/apis';
import type { MinValuesShortfall } from '../requirements/min-values.ts';
import { withoutKeys } from '../requirements/requirement-set.ts';
import type { InstanceType, Resources } from './instance-type.ts';
import { shortOf } from './planned-node.ts';
import type { PlannedNode } from './planned-node.ts';
import type { NewNode } from './problem.ts';
import { reservedOnly } from './reserved-capacity.ts';
import { addResources, commonMinimum } from './resources.ts';

/** The most instance types that one launch is given to choose from. */
const mostInstanceTypes = 600;

const hostname: ReadonlySet<string> = new Set([kubernetesLabels.hostname]);

/** What planning leaves of a node, or the minimum counts that too few of the cheapest types would meet. */
export type Finished = { readonly node: NewNode } | { readonly short: readonly MinValuesShortfall[] };

/** The types a node may be launched as, the cheapest first, and the least that daemons take on any of them. */
type Choice = {
  readonly instanceTypes: readonly InstanceType[];
  readonly overhead: Resources;
  readonly short: readonly MinValuesShortfall[];
};

/** Gives planned nodes their finished form: cheapest types first and cut to the most a launch takes. Equal nodes share one list of types. */
export function finisher(minValuesPolicy: 'Strict' | 'BestEffort'): (planned: PlannedNode) => Finished {
  const choices = new Map<string, Choice>();
  return (planned) => {
    const { template, pods, minValuesRelaxed, requests, held } = planned;
    const node = held.length === 0 ? planned : reservedOnly(template.table, bought(planned), held);
    const { requirements, types } = node;
    const identity = `${template.nodePool.metadata.name} ${types.join()} ${template.table.purchaseIdentity(requirements)}`;
    const hasCounts = [...requirements.values()].some(({ minValues }) => minValues !== undefined);
    const choice = (hasCounts ? undefined : choices.get(identity)) ?? choiceOf(node);
    choices.set(identity, choice);
    if (choice.short.length > 0 && minValuesPolicy === 'Strict') return { short: choice.short };
    return {
      node: {
        nodePool: template.nodePool,
        requirements: withoutKeys(requirements, hostname),
        instanceTypes: choice.instanceTypes,
        requests: addResources(requests, choice.overhead),
        pods: [...pods],
        minValuesRelaxed,
      },
    };
  };
}

type Bought = Pick<PlannedNode, 'template' | 'types' | 'requirements'>;

const bought = ({ template, types, requirements }: PlannedNode): Bought => ({ template, types, requirements });

function choiceOf({ template, types, requirements }: Bought): Choice {
  const options = template.table.cheapestFirst(types, requirements).slice(0, mostInstanceTypes);
  return {
    instanceTypes: options.map(({ type }) => type),
    overhead: commonMinimum([...new Set(options.map(({ daemons }) => daemons.requests))]),
    short: shortOf(requirements, () => options),
  };
}
