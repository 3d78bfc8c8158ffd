import { readOwn } from '@nodewright/apis';
import type { UpdateTurn } from './progress.ts';
import { planNodeReplacement } from './node-replacement.ts';
import { planRestore } from './restore.ts';
import { planReversal } from './revert.ts';
import { scaleDown } from './scale-down.ts';
import { scaleUp } from './scale-up.ts';
import { setUp } from './setup.ts';
import { planUpgrade } from './upgrade.ts';
import { freshenPool } from './warm-pool.ts';
import type { UpdatePlan } from './update-plan.ts';
import { failUpdate, isOfSomeNodes, type Phase, type UpdateRecord } from './update-record.ts';

/**
 * What an update of a node group does next, and why. Asked again after every change and at `recheckAt`;
 * what was planned and did not happen is planned again.
 * @param turn.chance draws which nodes go first; asked only when nodes are chosen
 */
export function planUpdate(record: UpdateRecord, turn: UpdateTurn): UpdatePlan {
  const plan = isOfSomeNodes(record)
    ? planNodeReplacement(record, turn)
    : planForPhase(isRepointed(record, turn) ? givenUp(record, turn) : record, turn);
  const isSettled = plan.actions.length > 0 || plan.record.phase === record.phase;
  return isSettled ? plan : planUpdate(plan.record, turn);
}

/** A group of our own got another configuration from outside: what it launches from then would be replaced for ever. */
const isRepointed = ({ terminations, phase, target }: UpdateRecord, { seen }: UpdateTurn): boolean =>
  terminations === 'shrink' &&
  (phase === 'scaleUp' || phase === 'upgrade') &&
  seen.group.configuration !== target.configuration;

/** What they chose stays. */
function givenUp(record: UpdateRecord, { seen, now }: UpdateTurn): UpdateRecord {
  const message =
    seen.group.configuration === ''
      ? 'the group names no launch template by a numbered version any more, in the middle of the update'
      : 'the group was pointed at another launch template version in the middle of the update';
  const failed = failUpdate(record, { code: 'Unknown', message, resourceIds: [] }, now);
  return { ...failed, failedIn: 'upgrade', phase: 'restore' };
}

type Ongoing = Exclude<Phase, 'successful' | 'failed'>;

const phases: Readonly<Record<Ongoing, (record: UpdateRecord, turn: UpdateTurn) => UpdatePlan>> = {
  setup: setUp,
  scaleUp,
  upgrade: planUpgrade,
  scaleDown,
  revert: planReversal,
  restore: planRestore,
};

function planForPhase(record: UpdateRecord, turn: UpdateTurn): UpdatePlan {
  const planPhase = readOwn(phases, record.phase);
  if (planPhase !== undefined) return withFreshPool(planPhase(record, turn), turn);
  const reason = record.failure?.message ?? 'every node is on the target';
  return { record, actions: [], held: [], reason };
}

/** Where instances that leave service go back to the pool, they would come into service again. */
function withFreshPool(plan: UpdatePlan, turn: UpdateTurn): UpdatePlan {
  const freshening = plan.record.phase === 'upgrade' ? freshenPool(plan.record, turn) : undefined;
  return freshening === undefined ? plan : { ...plan, actions: [...freshening.actions, ...plan.actions] };
}
