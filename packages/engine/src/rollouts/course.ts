import {
  type VariantImage,
  instant,
  type Instant,
  type NodeRollout,
  type NodeRolloutSpec,
  type RolloutCause,
  seconds,
  toTimestamp,
  byNumberOf,
  byTextOf,
  inOrder,
  inReverse,
} from '@nodewright/apis';
import { judgeVariantImage } from '../images/image-obstacle.ts';
import { compareReleases } from '../images/release-order.ts';
import { findImageOf, type ImageSet, imagesBeyond } from './image-set.ts';
import { answerRequests, isResumed } from './requests.ts';
import type { RolloutSettings } from './settings.ts';
import type { RolloutSnapshot } from './snapshot.ts';
import { isRollback, viewRollout } from './view.ts';
import { findWayBack, listUndoneRollouts, parseRollback } from './way-back.ts';

/** Which rollout is under way after this plan. */
export type RolloutCourse = {
  readonly current?: NodeRollout;
  /** The current one is made by this plan. */
  readonly isNew: boolean;
  /** The one that ends because another takes its place. */
  readonly superseded?: NodeRollout;
  readonly because?: string;
  /** A person takes it back, or it had halted: its images are kept out. */
  readonly isCondemned?: boolean;
  /** Earlier ones that a person takes back with it: theirs are kept out, too. */
  readonly alsoCondemned?: readonly NodeRollout[];
};

export type CourseQuestion = {
  readonly baseline: ImageSet;
  readonly wanted: ImageSet;
  readonly settings: RolloutSettings;
  readonly seen: RolloutSnapshot;
};

export const hasEnded = ({ status }: NodeRollout): boolean => status?.endedAt !== undefined;

/** The rollout that is under way, if one is: of several the one with the highest number. */
export const currentRollout = ({ rollouts }: Pick<RolloutSnapshot, 'rollouts'>): NodeRollout | undefined =>
  rollouts
    .filter((rollout) => !hasEnded(rollout))
    .toSorted(
      inOrder(
        inReverse(byNumberOf(({ spec }) => spec.number)),
        byTextOf(({ metadata }) => metadata.name),
      ),
    )[0];

/**
 * Goes on with the rollout under way, starts one, or lets another take its place.
 *
 * A rollout starts when the wanted images differ from the proven ones. While one is under way, a newer target waits for
 * its end, or supersedes it; an expedited one supersedes it at once. When the proven images are wanted again, the nodes
 * that have moved come back. After a halt only another target or a person leads on.
 */
export function chooseCourse(question: CourseQuestion): RolloutCourse {
  const { seen, baseline, wanted } = question;
  const current = currentRollout(seen);
  const ahead = imagesBeyond(baseline, wanted);
  if (current === undefined) {
    const back = takeEndedBack(question);
    if (back !== undefined) return back;
    if (ahead.length === 0 || settlesAt(seen) !== undefined) return { isNew: false };
    return { current: newRollout(question, wanted), isNew: true };
  }
  if (isRollback(current)) return { current, isNew: false };
  const undo = reasonToUndo(current, question);
  if (undo !== undefined) return { ...takeBack(current, question, undo), isCondemned: true };
  const isHalted = current.status?.halted !== undefined && !isResumed(current, seen);
  if (imagesBeyond(current.spec.to, wanted).length === 0) return { current, isNew: false };
  if (isHalted) {
    const isOther = ahead.some((image) => findImageOf(current.spec.to, image)?.image !== image.image);
    return isOther ? supersede(current, question, 'another target is wanted') : { current, isNew: false };
  }
  if (hasLostTarget(current, seen)) return { current, isNew: false };
  if (ahead.length === 0) return takeBack(current, question, 'the proven images are wanted again');
  if (settlesAt(seen) !== undefined) return { current, isNew: false };
  if (question.settings.newTarget === 'Supersede') return supersede(current, question, 'newTarget is Supersede');
  const expedited = ahead.some((image) => isExpeditedImage(image, seen));
  return expedited ? supersede(current, question, 'the newer target is expedited') : { current, isNew: false };
}

/** EC2NodeClasses and node groups are looked at every minute. */
const settleMs = seconds(90);

/** When the wanted images count as complete, if they do not yet: other sources may still find the release. */
export function settlesAt({ wantedSince, now }: Pick<RolloutSnapshot, 'wantedSince' | 'now'>): Instant | undefined {
  if (wantedSince === undefined || now >= wantedSince + settleMs) return undefined;
  return instant(wantedSince + settleMs);
}

/** Whether a rule lets an image skip its soak. */
export const isExpeditedImage = (
  image: VariantImage,
  { rules, now }: Pick<RolloutSnapshot, 'rules' | 'now'>,
): boolean => judgeVariantImage(image, rules, now).kind === 'expedited';

/** A blocked or withdrawn target halts the rollout; it is no other target. */
const hasLostTarget = ({ spec }: NodeRollout, { obstacles }: RolloutSnapshot): boolean =>
  imagesBeyond(spec.from, spec.to).some(({ image }) => {
    const kind = obstacles.get(image)?.kind;
    return kind === 'blocked' || kind === 'withdrawn';
  });

function reasonToUndo(current: NodeRollout, { settings, seen }: CourseQuestion): string | undefined {
  const { rollback, resume } = answerRequests(viewRollout(current, seen), seen);
  if (rollback !== undefined) return rollback;
  const halted = current.status?.halted;
  return halted !== undefined && resume === undefined && settings.onHalt === 'Rollback' ? halted.message : undefined;
}

const takeBack = (current: NodeRollout, question: CourseQuestion, because: string): RolloutCourse => ({
  current: newRollout(question, question.baseline, current),
  isNew: true,
  superseded: current,
  because,
});

/** A person takes the last rollout back after its end: to what was proven before it, or earlier. */
function takeEndedBack(question: CourseQuestion): RolloutCourse | undefined {
  const { seen, baseline } = question;
  const last = seen.rollouts.toSorted(inReverse(byNumberOf(({ spec }) => spec.number)))[0];
  const asked = last === undefined ? undefined : answerRequests(viewRollout(last, seen), seen).rollback;
  if (last === undefined || asked === undefined) return undefined;
  const { release, reason } = parseRollback(asked);
  const to = findWayBack(seen, baseline, release);
  if (to === undefined) return undefined;
  const current = newRollout(question, to, last);
  const alsoCondemned = listUndoneRollouts(seen, release).filter((rollout) => rollout !== last);
  return { current, isNew: true, superseded: last, because: reason, isCondemned: true, alsoCondemned };
}

const supersede = (current: NodeRollout, question: CourseQuestion, because: string): RolloutCourse => ({
  current: newRollout(question, question.wanted),
  isNew: true,
  superseded: current,
  because,
});

function newRollout({ seen, baseline }: CourseQuestion, to: ImageSet, undone?: NodeRollout): NodeRollout {
  const { policy, rollouts, kubernetesVersion, now } = seen;
  const number = Math.max(policy.status?.lastNumber ?? 0, ...rollouts.map(({ spec }) => spec.number)) + 1;
  const spec: NodeRolloutSpec = {
    policy: policy.metadata.name,
    number,
    cause: undone === undefined ? causeOfRollout(seen, baseline, to) : 'Rollback',
    from: undone === undefined || hasEnded(undone) ? baseline : undone.spec.to,
    to,
    kubernetesVersion,
    members: 0,
    ...(undone === undefined ? {} : { rollbackOf: undone.metadata.name }),
  };
  const rollout: NodeRollout = {
    apiVersion: 'nodewright.dev/v1alpha1',
    kind: 'NodeRollout',
    metadata: { name: `${policy.metadata.name}-${number}`, generation: 1, creationTimestamp: toTimestamp(now) },
    spec,
  };
  const members = viewRollout(rollout, { ...seen, rollouts: [...rollouts, rollout] }).toMove.length;
  return { ...rollout, spec: { ...spec, members } };
}

function causeOfRollout(seen: RolloutSnapshot, baseline: ImageSet, to: ImageSet): RolloutCause {
  const last = seen.rollouts.toSorted(inReverse(byNumberOf(({ spec }) => spec.number)))[0];
  if (last !== undefined && last.spec.kubernetesVersion !== seen.kubernetesVersion) return 'ControlPlane';
  const moved = imagesBeyond(baseline, to);
  const before = moved.map((image) => findImageOf(baseline, image));
  if (before.some((image) => image !== undefined && seen.obstacles.get(image.image)?.kind === 'blocked')) return 'Rule';
  if ((seen.policy.spec.promotion?.require ?? []).length > 0) return 'Promotion';
  // A variant that nothing was proven for says nothing about why the others move.
  const steps = moved.flatMap((image, index) => {
    const proven = before[index];
    return proven === undefined ? [] : [{ image, proven }];
  });
  const isNewer = steps.every(
    ({ image, proven }) => image.release !== undefined && compareReleases(image.release, proven.release) > 0,
  );
  return steps.length > 0 && isNewer ? 'NewRelease' : 'SpecChanged';
}
