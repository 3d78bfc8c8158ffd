import type { ImageRule, Instant, VariantImage } from '@nodewright/apis';
import { type ImageVerdict, judgeImage } from './image-rules.ts';
import type { ImageObstacle } from './launch-rule.ts';
import { releaseOfImageName } from './release-of-name.ts';
import { parseVariant } from './variants.ts';

export type ObstacleQuestion = {
  readonly rules: readonly ImageRule[];
  /** Ids of images that EC2 does not have any more. */
  readonly gone: ReadonlySet<string>;
  /** The control plane's minor. */
  readonly kubernetesVersion: string;
  readonly now: Instant;
};

/** Why an image that was proven, or that a rollout leads to, cannot be launched now. */
export function findImageObstacle(image: VariantImage, question: ObstacleQuestion): ImageObstacle | undefined {
  if (question.gone.has(image.image)) return { kind: 'gone' };
  const rule = findBlockingRule(image, question);
  if (rule !== undefined) return { kind: 'blocked', rule };
  const { kubernetesVersion } = question;
  return isWithinSkew(image.name ?? '', kubernetesVersion) ? undefined : { kind: 'outsideSkew', kubernetesVersion };
}

function findBlockingRule(image: VariantImage, { rules, now }: ObstacleQuestion): string | undefined {
  const verdict = judgeVariantImage(image, rules, now);
  return verdict.kind === 'blocked' ? verdict.rule : undefined;
}

/** What the rules say of an image of a rollout. */
export function judgeVariantImage(image: VariantImage, rules: readonly ImageRule[], now: Instant): ImageVerdict {
  const variant = parseVariant(image.variant);
  if (variant === undefined) return { kind: 'none' };
  const judged = {
    id: image.image,
    name: image.name ?? '',
    family: variant.family,
    version: image.release,
    arch: variant.arch,
    accelerators: [variant.accelerator],
  };
  return judgeImage(judged, rules, now);
}

const oldestKubelet = 3;

/** A kubelet is never newer than the API server, and at most three minors older. Images of one's own say no minor. */
function isWithinSkew(name: string, kubernetesVersion: string): boolean {
  const own =
    releaseOfImageName(name) === undefined ? undefined : kubeletMinorOf(/(?<=-)\d+\.\d+(?=-)/.exec(name)?.[0]);
  const server = kubeletMinorOf(kubernetesVersion);
  return own === undefined || server === undefined || (own <= server && own >= server - oldestKubelet);
}

function kubeletMinorOf(version: string | undefined): number | undefined {
  const minor = Number(version?.split('.')[1]);
  return Number.isInteger(minor) ? minor : undefined;
}
