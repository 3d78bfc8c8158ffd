import { parseAge, formatDuration, type NodeRolloutPolicy } from '@nodewright/apis';
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
