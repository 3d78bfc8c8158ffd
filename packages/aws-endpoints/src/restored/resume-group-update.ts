import type { Instant } from '@nodewright/apis';
import { beginUpdate, countParallelReplacements, type UpdateRecord } from '@nodewright/nodegroups';
import {
  type EksNodeGroup,
  type GroupUpdate,
  type Software,
  softwareConfiguration,
  softwareLabels,
} from '../eks/nodegroups/node-group.ts';
import type { AccountFacts } from './account-facts.ts';
import type { ManagedGroupFacts, ScalingGroupFacts } from './group-facts.ts';

type UpdatePlace = Pick<AccountFacts, 'updateStages' | 'now'> & {
  readonly goal: Software;
  readonly group: EksNodeGroup;
  readonly scaling: ScalingGroupFacts | undefined;
};

/** The version update that is under way. EKS does not tell how far it is: the group and its nodes show it. */
export function resumeGroupUpdate({ update, scaling: sizes }: ManagedGroupFacts, place: UpdatePlace): GroupUpdate {
  const { goal, group } = place;
  const { id = '', createdAt = group.modifiedAt, params = {} } = update ?? {};
  const target = { configuration: softwareConfiguration(goal), labels: softwareLabels(group, goal) };
  const begun = beginUpdate(
    {
      target,
      strategy: group.updateConfig.updateStrategy ?? 'DEFAULT',
      parallel: countParallelReplacements(group.updateConfig, sizes.desired),
      before: { configuration: softwareConfiguration(group), max: sizes.max, desired: sizes.desired },
    },
    createdAt,
  );
  return {
    id,
    group: group.name,
    type: 'VersionUpdate',
    status: 'InProgress',
    params: Object.entries(params).map(([type, value]) => ({ type: type as 'Version', value })),
    errors: [],
    createdAt,
    goal,
    record: resumeUpdate(begun, place),
  };
}

/**
 * Old nodes are set apart before the first of them is drained, and the group grows before that. An update whose old nodes are
 * all gone, or that has not pointed the group at its target yet, begins with its first phase, which passes at once.
 */
function resumeUpdate(begun: UpdateRecord, { scaling, updateStages = new Map(), now }: UpdatePlace): UpdateRecord {
  const old = scaling?.instances.filter(({ template }) => template.version !== scaling.template.version) ?? [];
  const surge = Math.max(0, (scaling?.desired ?? 0) - begun.before.desired);
  if (old.some(({ id }) => updateStages.has(id)))
    return { ...begun, phase: 'upgrade', surge, drains: resumeDrains(old, { updateStages, now }) };
  return old.length > 0 && surge > 0 ? { ...begun, phase: 'scaleUp', surge } : begun;
}

type DrainPlace = { readonly updateStages: NonNullable<AccountFacts['updateStages']>; readonly now: Instant };

/** Nodes that drain are the first to go on. Since when they do is not told: their limits begin anew. */
const resumeDrains = (old: readonly { readonly id: string }[], { updateStages, now }: DrainPlace) =>
  Object.fromEntries(
    old.flatMap(({ id }) => {
      const stage = updateStages.get(id);
      if (stage === undefined || stage === 'setApart') return [];
      return [[id, stage === 'draining' ? { since: now } : { since: now, cordonedAt: now }] as const];
    }),
  );
