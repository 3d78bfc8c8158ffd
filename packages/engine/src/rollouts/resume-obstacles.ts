import type { NodeRollout, VariantImage } from '@nodewright/apis';
import { judgeVariantImage } from '../images/image-obstacle.ts';
import { imagesBeyond, printRolloutTarget } from './image-set.ts';
import { judgePromotion } from './promotion.ts';
import { resolveRolloutSettings } from './settings.ts';
import type { RolloutSnapshot } from './snapshot.ts';

/** What a halted rollout meets when it is resumed. */
export type ResumeObstacles = {
  /** What keeps images of the target out although the rules of the halt go, each with what a person can do. */
  readonly obstacles: readonly string[];
  /** Whether the rollout would halt again at once. */
  readonly isStopped: boolean;
};

/**
 * A resumed rollout takes the rules of its own halt away, and nothing else: a rule of another rollout or of a person, a
 * withdrawal and a halt upstream would halt it again at once. Variants that stand for themselves go on without the one that is
 * kept out.
 */
export function findResumeObstacles(rollout: NodeRollout, seen: RolloutSnapshot): ResumeObstacles {
  const { variants: halted = [] } = rollout.status?.halted ?? {};
  const { variants } = resolveRolloutSettings(seen.policy.spec);
  const images = imagesBeyond(rollout.spec.from, rollout.spec.to).filter(({ variant }) => halted.includes(variant));
  const found = images.map((image) => findResumeObstacle(image, rollout, seen));
  const obstacles = [...new Set(found.flatMap((each) => each ?? []))];
  if (obstacles.length === 0) return { obstacles: noteWithdrawal(rollout), isStopped: false };
  const isAnyFree = variants === 'Independent' && found.includes(undefined);
  return { obstacles, isStopped: !isAnyFree };
}

/** While the rule of the halt blocks a release, it is not known whether its family names it again. */
const noteWithdrawal = ({ spec, status }: NodeRollout): readonly string[] =>
  status?.halted?.reason === 'TargetWithdrawn'
    ? [`it halts again if ${printRolloutTarget(spec)} is still withdrawn`]
    : [];

function findResumeObstacle(image: VariantImage, rollout: NodeRollout, seen: RolloutSnapshot): string | undefined {
  const name = image.release ?? image.image;
  const { halted, lifted = [] } = rollout.status ?? {};
  const own = new Set([...(halted?.rules ?? []), ...lifted]);
  const others = seen.rules.filter(({ metadata }) => !own.has(metadata.name));
  const verdict = judgeVariantImage(image, others, seen.now);
  if (verdict.kind === 'blocked')
    return `ImageRule ${verdict.rule} still blocks ${name} (${verdict.reason}): ${wayPastRule(verdict.rule)}, and ask again`;
  const obstacle = seen.obstacles.get(image.image)?.kind;
  if (obstacle === 'withdrawn')
    return `${name} is withdrawn, its family went back to an older release: ask again when it is the newest once more, or take the rollout back`;
  if (obstacle === 'gone') return `image ${image.image} of ${name} is not there any more: take the rollout back`;
  const { promotion } = seen.policy.spec;
  const upstream = judgePromotion(image, { promotion, upstream: seen.upstream, now: seen.now });
  return upstream.kind === 'haltedUpstream'
    ? `${upstream.because}: resume the rollout there, or take that place out of promotion.require, and ask again`
    : undefined;
}

/** The rule of a halt goes when the rollout that wrote it is resumed: it may be that of another policy. */
const wayPastRule = (rule: string): string =>
  rule.startsWith('halted-')
    ? `delete it (\`kubectl delete imagerule ${rule}\`) or resume the rollout that wrote it`
    : `delete it (\`kubectl delete imagerule ${rule}\`)`;
