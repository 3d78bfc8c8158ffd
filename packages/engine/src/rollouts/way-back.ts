import type { NodeRollout } from '@nodewright/apis';
import { findImageOf, type ImageSet, imagesBeyond } from './image-set.ts';
import type { RolloutSnapshot } from './snapshot.ts';

/** What a rollback asks for: a release that was proven before, or the last one, and why. */
export type RollbackRequest = { readonly release?: string; readonly reason: string };

/** `<release>=<reason>`, or a reason alone. A release is `v20240117`, `1.20.4` or the id of an image. */
export function parseRollback(value: string): RollbackRequest {
  const [, release, reason] = /^(v?\d[\w.-]*|ami-\w+)=(.*)$/s.exec(value) ?? [];
  return release === undefined || reason === undefined ? { reason: value } : { release, reason };
}

/** Images that were proven before, with those of the baseline for what they leave out; absent where there are none. */
export function findWayBack(
  { policy }: Pick<RolloutSnapshot, 'policy'>,
  baseline: ImageSet,
  release: string | undefined,
): ImageSet | undefined {
  const chosen = findProvenBefore({ policy }, release)?.images;
  if (chosen === undefined) return undefined;
  const wanted = release === undefined ? chosen : chosen.filter((image) => isOfRelease(image, release));
  const images = baseline.map((image) => findImageOf(wanted, image) ?? image);
  return imagesBeyond(baseline, images).length === 0 ? undefined : images;
}

const findProvenBefore = ({ policy }: Pick<RolloutSnapshot, 'policy'>, release: string | undefined) =>
  (policy.status?.history ?? []).find(
    ({ images }) => release === undefined || images.some((image) => isOfRelease(image, release)),
  );

/** The rollouts that led away from what a rollback goes back to: left as they are, the next plan would begin with them again. */
export function listUndoneRollouts(
  seen: Pick<RolloutSnapshot, 'policy' | 'rollouts'>,
  release: string | undefined,
): readonly NodeRollout[] {
  const replacedBy = findProvenBefore(seen, release)?.rollout;
  const first = seen.rollouts.find(({ metadata }) => metadata.name === replacedBy);
  return first === undefined
    ? []
    : seen.rollouts.filter(({ spec }) => spec.number >= first.spec.number && spec.cause !== 'Rollback');
}

const isOfRelease = ({ release, image }: ImageSet[number], wanted: string): boolean =>
  release === wanted || image === wanted;

/** Why a rollback that is asked of a rollout cannot be begun; absent where it can. */
export function refusalOfRollback(
  rollout: NodeRollout,
  { release, reason }: RollbackRequest,
  seen: RolloutSnapshot,
): string | undefined {
  if (reason.trim() === '') return 'a reason is needed';
  const baseline = seen.policy.status?.baseline ?? [];
  const isEnded = rollout.status?.endedAt !== undefined;
  if (!isEnded) {
    if (release === undefined || baseline.some((image) => isOfRelease(image, release))) return undefined;
    return `while it is under way it goes back to what is proven, ${printReleases(baseline)}; ask again when that is over`;
  }
  const newer = seen.rollouts.find(
    ({ spec, status }) => spec.number > rollout.spec.number || status?.endedAt === undefined,
  );
  if (newer !== undefined) return `the rollout has ended, and ${newer.metadata.name} came after it: ask that one`;
  if (findWayBack(seen, baseline, release) !== undefined) return undefined;
  const known = (seen.policy.status?.history ?? []).map(({ images }) => printReleases(images));
  const there = known.length === 0 ? 'nothing was proven before' : `before it were proven ${known.join('; ')}`;
  return release === undefined ? there : `release ${release} is not what was proven before: ${there}`;
}

const printReleases = (images: ImageSet): string =>
  [...new Set(images.map(({ release, image }) => release ?? image))].join(', ');
