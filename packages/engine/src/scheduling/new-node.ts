import { kubernetesLabels } from '@nodewright/apis';
import { withoutKeys } from '../requirements/requirement-set.ts';
import { countMinValues } from '../requirements/min-values.ts';
import type { MinValuesShortfall } from '../requirements/min-values.ts';
import { cheapestPrice } from './node-template.ts';
import type { TypeOption } from './node-template.ts';
import type { PlannedNode } from './planned-node.ts';
import type { NewNode } from './problem.ts';
import { addResources, commonMinimum } from './resources.ts';

/** The most instance types that one launch is given to choose from. */
const mostInstanceTypes = 600;

/** What planning leaves of a node, or the minimum counts that too few of the cheapest types would meet. */
export type Finished = { readonly node: NewNode } | { readonly short: readonly MinValuesShortfall[] };

/** The finished form of a planned node: cheapest types first and cut to the most a launch takes. */
export function finished(planned: PlannedNode, minValuesPolicy: 'Strict' | 'BestEffort'): Finished {
  const requirements = withoutKeys(planned.requirements, new Set([kubernetesLabels.hostname]));
  const options = cheapestFirst(planned).slice(0, mostInstanceTypes);
  const instanceTypes = options.map(({ type }) => type);
  const { short } = countMinValues(requirements, instanceTypes);
  if (short.length > 0 && minValuesPolicy === 'Strict') return { short };
  const overhead = commonMinimum(options.map(({ daemons }) => daemons.requests));
  const { template, pods, minValuesRelaxed } = planned;
  return {
    node: {
      nodePool: template.nodePool,
      requirements,
      instanceTypes,
      requests: addResources(planned.requests, overhead),
      pods: [...pods],
      minValuesRelaxed,
    },
  };
}

function cheapestFirst({ options, requirements }: PlannedNode): readonly TypeOption[] {
  const priced = options.map((option) => ({ option, price: cheapestPrice(option.type, requirements) }));
  return priced
    .toSorted((a, b) => a.price - b.price || (a.option.type.name < b.option.type.name ? -1 : 1))
    .map(({ option }) => option);
}
