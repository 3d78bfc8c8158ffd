import {
  formatDuration,
  type NodePool,
  type NodeRolloutPolicy,
  parseAge,
  parseDurationOrNever,
} from '@nodewright/apis';
import { assignPolicies, governablePool, governedId } from '@nodewright/engine';
import type { LintProblem, LintRule } from '../lint-rule.ts';
import { isAlwaysOpen, nextOpenings, printOpenings } from '../budgets/openings.ts';

type WrittenWindow = NonNullable<NodeRolloutPolicy['spec']['windows']>[number];

const windowIn = ({ schedule, duration, timeZone }: WrittenWindow) => ({
  schedule,
  duration: formatDuration(parseAge(duration)),
  timeZone,
});

export const policyWindowRule: LintRule = {
  name: 'rollout-window-never-opens',
  severity: 'error',
  about: 'A window of a NodeRolloutPolicy that never opens: nothing is ever replaced in it.',
  check: ({ policies }, { now }) =>
    policies.flatMap((policy) =>
      (policy.spec.windows ?? []).flatMap((window, index): readonly LintProblem[] =>
        nextOpenings(windowIn(window), now, 1).length > 0
          ? []
          : [
              {
                object: policy,
                path: ['spec', 'windows', index, 'schedule'],
                value: window.schedule,
                why: 'the schedule has no date within five years',
                instead: 'write a date that exists; fields are minute, hour, day of month, month, day of week',
              },
            ],
      ),
    ),
};

export const policyOpenWindowRule: LintRule = {
  name: 'rollout-window-never-closes',
  severity: 'warning',
  about: 'A window of a NodeRolloutPolicy that opens again before it closes holds nothing back.',
  check: ({ policies }, { now }) =>
    policies.flatMap((policy) =>
      (policy.spec.windows ?? []).flatMap((window, index): readonly LintProblem[] =>
        isAlwaysOpen(windowIn(window), now)
          ? [
              {
                object: policy,
                path: ['spec', 'windows', index],
                value: `${window.schedule} for ${window.duration}`,
                why: `it is always open: ${printOpenings(nextOpenings(windowIn(window), now))} leave no gap`,
                instead: 'shorten the duration, open it less often, or leave windows out',
              },
            ]
          : [],
      ),
    ),
};

export const policyAgeRule: LintRule = {
  name: 'max-age-after-expiry',
  severity: 'warning',
  about:
    'Nodes reach expireAfter, or maxAge.hard, no later than maxAge.soft of their NodeRolloutPolicy: they go together, and no window or pace holds them.',
  check: ({ policies, nodePools }) => [
    ...policies.flatMap((policy) => hardAgeProblems(policy)),
    ...poolsWithPolicy(policies, nodePools).flatMap(({ policy, pool }) => expiryProblems(policy, pool)),
  ],
};

const softPath = ['spec', 'maxAge', 'soft'];

function hardAgeProblems(policy: NodeRolloutPolicy): readonly LintProblem[] {
  const { soft, hard } = policy.spec.maxAge ?? {};
  if (soft === undefined || hard === undefined || parseAge(soft) < parseAge(hard)) return [];
  return [
    {
      object: policy,
      path: softPath,
      value: soft,
      why: `nodes go at maxAge.hard ${hard} before they are let go one by one`,
      instead: `write a soft age well below ${hard}: all nodes of a pool need the time between at the pace of the policy`,
    },
  ];
}

function expiryProblems(policy: NodeRolloutPolicy, { metadata, spec }: NodePool): readonly LintProblem[] {
  const { soft } = policy.spec.maxAge ?? {};
  const { expireAfter } = spec.template.spec;
  const term = parseDurationOrNever(expireAfter ?? defaultExpireAfter);
  if (soft === undefined || term === 'Never' || parseAge(soft) < term) return [];
  const written = expireAfter ?? `${defaultExpireAfter}, which is what it is when it is not written`;
  return [
    {
      object: policy,
      path: softPath,
      value: soft,
      why: `nodes of NodePool ${metadata.name} expire first: its expireAfter is ${written}`,
      instead: `write a soft age well below it, or expireAfter: Never in NodePool ${metadata.name}`,
    },
  ];
}

const defaultExpireAfter = '720h';

/** Each NodePool with the policy that governs it. */
function poolsWithPolicy(
  policies: readonly NodeRolloutPolicy[],
  nodePools: readonly NodePool[],
): readonly { readonly policy: NodeRolloutPolicy; readonly pool: NodePool }[] {
  const { policyOf } = assignPolicies(policies, nodePools.map(governablePool));
  return nodePools.flatMap((pool) => {
    const name = policyOf.get(governedId({ kind: 'NodePool', name: pool.metadata.name }));
    const policy = policies.find(({ metadata }) => metadata.name === name);
    return policy === undefined ? [] : [{ policy, pool }];
  });
}
