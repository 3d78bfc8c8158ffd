import type { Metrics } from '@nodewright/runtime';

/** What is counted of rollouts. */
export type RolloutCounters = {
  /** `kind`: `Started`, `NodeFailed`, `Halted`, ... */
  rolloutHappened(policy: string, kind: string): void;
  /** `answer`: `Passes`, `Fails`, `CannotBeAsked`. */
  checkAnswered(policy: string, check: string, answer: string): void;
  /** `outcome`: `sent`, `failed` for one attempt, `givenUp` for a message. */
  rolloutMessageEnded(policy: string, format: string, outcome: string): void;
};

export function rolloutCounters(metrics: Metrics): RolloutCounters {
  const happenings = metrics.counter({
    name: 'nodewright_rollout_happenings_total',
    help: 'What happened in rollouts, by policy and kind: Started, NodeFailed, Halted, Complete and others',
    labels: ['policy', 'kind'],
  });
  const messages = metrics.counter({
    name: 'nodewright_rollout_notifications_total',
    help: 'Messages to receivers of policies: sent, failed attempts, given up',
    labels: ['policy', 'format', 'outcome'],
  });
  const answers = metrics.counter({
    name: 'nodewright_rollout_check_answers_total',
    help: 'Answers of the checks of policies, by check and answer',
    labels: ['policy', 'check', 'answer'],
  });
  return {
    checkAnswered: (policy, check, answer) => answers.add({ policy, check, answer }),
    rolloutHappened: (policy, kind) => happenings.add({ policy, kind }),
    rolloutMessageEnded: (policy, format, outcome) => messages.add({ policy, format, outcome }),
  };
}
