import { byTextOf, fromTimestamp, type AmiFamily, type ImageRule, type Instant } from '@nodewright/apis';
import type { FoundImage } from './found-image.ts';
import { releaseOfImageName } from './release-of-name.ts';
import { compareReleases } from './release-order.ts';
import { acceleratorsOfImage, type Accelerator } from './variants.ts';

/** An image as rules look at it. */
export type JudgedImage = {
  readonly id: string;
  readonly name: string;
  /** That of the selector which found it; the name of an EKS image tells it, too. */
  readonly family?: AmiFamily | undefined;
  readonly version?: string | undefined;
  readonly arch: 'amd64' | 'arm64';
  readonly accelerators: readonly Accelerator[];
};

/** What the rules say of one image. Blocked wins over expedited. */
export type ImageVerdict =
  | { readonly kind: 'none' }
  | { readonly kind: 'blocked' | 'expedited'; readonly rule: string; readonly reason: string };

export const judgedImage = (image: FoundImage, family: AmiFamily | undefined): JudgedImage => ({
  id: image.id,
  name: image.name,
  family,
  version: image.version,
  arch: image.arch,
  accelerators: acceleratorsOfImage(image),
});

/** The verdict of the rules that hold at `now`; of several the first by name. */
export function judgeImage(image: JudgedImage, rules: readonly ImageRule[], now: Instant): ImageVerdict {
  const about = rules.filter((rule) => isRuleInForce(rule, now) && isAboutImage(rule, image));
  const blocking = about.filter(({ spec }) => spec.verdict === 'Blocked');
  const deciding = (blocking.length > 0 ? blocking : about).toSorted(byTextOf(({ metadata }) => metadata.name));
  const [first] = deciding;
  if (first === undefined) return { kind: 'none' };
  return {
    kind: first.spec.verdict === 'Blocked' ? 'blocked' : 'expedited',
    rule: first.metadata.name,
    reason: first.spec.reason,
  };
}

/** A rule that is being deleted still holds until it is gone. */
export const isRuleInForce = ({ spec }: ImageRule, now: Instant): boolean =>
  spec.until === undefined || fromTimestamp(spec.until) > now;

/** Whether older releases have to be known, because a rule may block the newest. */
export const isBlockingAnything = (rules: readonly ImageRule[], now: Instant): boolean =>
  rules.some((rule) => rule.spec.verdict === 'Blocked' && isRuleInForce(rule, now));

/** When the rules that hold now end. */
export const endsOfRules = (rules: readonly ImageRule[], now: Instant): readonly Instant[] =>
  rules.flatMap((rule) =>
    rule.spec.until !== undefined && isRuleInForce(rule, now) ? [fromTimestamp(rule.spec.until)] : [],
  );

/** Everything that `match` says has to fit; of each list one entry is enough. */
function isAboutImage({ spec: { match } }: ImageRule, image: JudgedImage): boolean {
  const named = releaseOfImageName(image.name);
  const family = named?.family ?? image.family;
  const version = named?.version ?? image.version;
  const { architectures, accelerators } = match.variants ?? {};
  return (
    (match.family === undefined || match.family === family) &&
    (match.versions === undefined || match.versions.some((bounds) => isVersionWithin(version, bounds))) &&
    (match.ids === undefined || match.ids.includes(image.id)) &&
    (match.names === undefined || match.names.some((pattern) => matchesName(image.name, pattern))) &&
    (architectures === undefined || architectures.includes(image.arch)) &&
    (accelerators === undefined || image.accelerators.some((each) => accelerators.includes(each)))
  );
}

/** `v20260409`, or bounds that all have to hold: `>=v20260501 <v20260512`. */
export function isVersionWithin(version: string | undefined, bounds: string): boolean {
  if (version === undefined) return false;
  return bounds
    .trim()
    .split(/ +/)
    .every((bound) => {
      const [, operator = '', than = ''] = /^(>=|<=|>|<|=)?(.*)$/.exec(bound) ?? [];
      return isOrderedAs(compareReleases(version, than), operator);
    });
}

function isOrderedAs(order: number, operator: string): boolean {
  switch (operator) {
    case '>=':
      return order >= 0;
    case '<=':
      return order <= 0;
    case '>':
      return order > 0;
    case '<':
      return order < 0;
    default:
      return order === 0;
  }
}

/** `*` stands for any text, everything else for itself. */
function matchesName(name: string, pattern: string): boolean {
  const parts = pattern.split('*').map((part) => part.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`).test(name);
}
