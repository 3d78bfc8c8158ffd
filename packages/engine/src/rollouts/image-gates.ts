import type {
  NodeRollout,
  NodeRolloutPolicy,
  NodeRolloutPolicyStatus,
  NodeRolloutStatus,
  VariantImage,
} from '@nodewright/apis';
import type { GatedImage, GateStage, ImageGate, ImageObstacle } from '../images/launch-rule.ts';
import { currentRollout } from './course.ts';
import type { ImageSet } from './image-set.ts';

/** What becomes of an image that a gate names, if it cannot be launched. */
export type ObstacleOf = (image: VariantImage) => ImageObstacle | undefined;

export type GateQuestion = {
  readonly baseline: ImageSet;
  /** The rollout under way, with the status that it has. */
  readonly current: NodeRollout | undefined;
  readonly obstacleOf: ObstacleOf;
  /** Images that are wanted, and that no rollout leads to yet. */
  readonly heldImages?: NodeRolloutPolicyStatus['heldImages'];
};

/** The gate of one EC2NodeClass or NodeGroup. Without a rollout every launch is for the baseline. */
export function buildImageGate(
  source: string,
  { baseline, current, obstacleOf, heldImages = [] }: GateQuestion,
): ImageGate {
  const status = current?.status ?? {};
  const gated = (set: ImageSet): readonly GatedImage[] =>
    set
      .filter((image) => image.source === source)
      .map((image) => {
        const obstacle = obstacleOf(image);
        return obstacle === undefined ? image : { ...image, obstacle };
      });
  const held = heldImages.filter((image) => image.source === source);
  return {
    ...(current === undefined ? {} : { rollout: current.metadata.name }),
    ...(held.length === 0 ? {} : { held }),
    stage: stageOfStatus(status),
    baseline: gated(baseline),
    target: gated(current?.spec.to ?? []),
    halted: status.halted?.variants ?? [],
    failed: [...new Set((status.failures ?? []).map(({ variant }) => variant))].toSorted(),
  };
}

const stageOfStatus = ({ waves = [] }: NodeRolloutStatus): GateStage =>
  waves.at(-1)?.startedAt === undefined ? 'waves' : 'lastWave';

/**
 * The gate of a source as policy and rollouts have it stored: launches after a restart rest on it before anything is
 * planned. Absent before the policy has adopted a baseline, and where it only reports.
 */
export function readImageGate(
  source: string,
  {
    policy,
    rollouts,
    obstacleOf,
  }: {
    readonly policy: NodeRolloutPolicy;
    readonly rollouts: readonly NodeRollout[];
    readonly obstacleOf: ObstacleOf;
  },
): ImageGate | undefined {
  if (!isActingPolicy(policy)) return undefined;
  const own = rollouts.filter(({ spec }) => spec.policy === policy.metadata.name);
  const { baseline = [], heldImages = [] } = policy.status ?? {};
  return buildImageGate(source, { baseline, current: currentRollout({ rollouts: own }), obstacleOf, heldImages });
}

/** It has adopted a baseline, and does more than report. */
export const isActingPolicy = ({ spec, status, metadata }: NodeRolloutPolicy): boolean =>
  spec.mode !== 'Report' && status?.baseline !== undefined && metadata.deletionTimestamp === undefined;
