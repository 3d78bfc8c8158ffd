import { type ImageRule, type RolloutHalt, toTimestamp, type VariantImage } from '@nodewright/apis';
import { parseVariant } from '../images/variants.ts';
import type { MemberReport } from './health/watch-members.ts';
import { comparisonNode, printFailedNode } from './comparison-node.ts';
import { imagesBeyond } from './image-set.ts';
import type { RolloutSettings } from './settings.ts';
import type { RolloutSnapshot } from './snapshot.ts';
import { isRollback, type RolloutView } from './view.ts';
import type { HeldImage } from './wanted-set.ts';

export type HaltQuestion = {
  readonly view: RolloutView;
  readonly report: MemberReport;
  readonly settings: RolloutSettings;
  readonly seen: RolloutSnapshot;
  /** The reason of a person who asks for the halt. */
  readonly requested: string | undefined;
  readonly held: readonly HeldImage[];
};

/**
 * Whether the rollout halts now, and why: more failures than the budget, a failed comparison, a request, or a target
 * that became blocked, was withdrawn or halted upstream. A halt that holds stays; with independent variants it grows.
 */
export function judgeHalt(question: HaltQuestion): RolloutHalt | undefined {
  const { view, seen } = question;
  const before = view.status.halted;
  const [cause] = haltCauses(question);
  if (cause === undefined) return before === undefined ? undefined : withSeenRules(before, seen);
  const variants = [...new Set([...(before?.variants ?? []), ...cause.variants])].toSorted();
  if (before !== undefined && variants.length === before.variants.length) return withSeenRules(before, seen);
  const rules = isRollback(view.rollout)
    ? []
    : haltRulesOf(view, { ...cause, variants }).map(({ metadata }) => metadata.name);
  return { at: before?.at ?? toTimestamp(seen.now), reason: cause.reason, message: cause.message, variants, rules };
}

/** Remembers that the rules were there: from then on a missing one was deleted by a person. */
function withSeenRules(halted: RolloutHalt, { rules }: RolloutSnapshot): RolloutHalt {
  if (halted.areRulesWritten === true || halted.rules.length === 0) return halted;
  const names = new Set(rules.map(({ metadata }) => metadata.name));
  return halted.rules.every((name) => names.has(name)) ? { ...halted, areRulesWritten: true } : halted;
}

type HaltCause = Pick<RolloutHalt, 'reason' | 'message' | 'variants'>;

function haltCauses(question: HaltQuestion): readonly HaltCause[] {
  const { requested } = question;
  const all = variantsOfRollout(question.view);
  const byRequest: HaltCause[] =
    requested === undefined ? [] : [{ reason: 'Requested', message: requested, variants: all }];
  return [...byRequest, ...targetCauses(question), ...worseCauses(question), ...budgetCauses(question)];
}

/** The variants whose image moves. */
export const variantsOfRollout = ({ rollout }: RolloutView): readonly string[] => [
  ...new Set(imagesBeyond(rollout.spec.from, rollout.spec.to).map(({ variant }) => variant)),
  ...(isRollback(rollout) ? new Set(rollout.spec.to.map(({ variant }) => variant)) : []),
];

/** With variants that stand together, one that fails halts all. */
const haltedWith = (variant: string, { settings, view }: HaltQuestion): readonly string[] =>
  settings.variants === 'Independent' ? [variant] : variantsOfRollout(view);

function targetCauses(question: HaltQuestion): readonly HaltCause[] {
  const { view, seen, held } = question;
  return imagesBeyond(view.rollout.spec.from, view.rollout.spec.to).flatMap((image): HaltCause[] => {
    const name = image.release ?? image.image;
    const variants = haltedWith(image.variant, question);
    const obstacle = seen.obstacles.get(image.image);
    // Rules of an earlier halt are on their way out.
    const isLifted = obstacle?.kind === 'blocked' && (view.status.lifted ?? []).includes(obstacle.rule);
    if (obstacle?.kind === 'blocked' && !isLifted)
      return [{ reason: 'TargetBlocked', message: `ImageRule ${obstacle.rule} blocks ${name}`, variants }];
    if (obstacle?.kind === 'withdrawn')
      return [
        {
          reason: 'TargetWithdrawn',
          message: `${name} was withdrawn: its family went back to an older release`,
          variants,
        },
      ];
    const upstream = held.find((each) => each.kind === 'haltedUpstream' && each.image.image === image.image);
    return upstream === undefined ? [] : [{ reason: 'HaltedUpstream', message: upstream.because, variants }];
  });
}

const worseCauses = (question: HaltQuestion): readonly HaltCause[] =>
  unforgiven(question)
    .filter(({ node }) => node === comparisonNode)
    .map(({ variant, signal, evidence }) => ({
      reason: signal === 'checks' ? 'CheckFailed' : 'WorseThanPeers',
      message: evidence,
      variants: haltedWith(variant, question),
    }));

function budgetCauses(question: HaltQuestion): readonly HaltCause[] {
  const { settings } = question;
  const failed = unforgiven(question).filter(({ node }) => node !== comparisonNode);
  const groups =
    settings.variants === 'Together'
      ? [failed]
      : [...new Set(failed.map(({ variant }) => variant))]
          .toSorted()
          .map((each) => failed.filter(({ variant }) => variant === each));
  return groups.flatMap((group): HaltCause[] => {
    const last = group.at(-1);
    if (last === undefined || group.length <= settings.failureBudget) return [];
    const message = `${group.length} failed ${group.length === 1 ? 'node' : 'nodes'}, ${settings.failureBudget} allowed: ${printFailedNode(last)}: ${last.evidence}`;
    return [{ reason: 'FailureBudgetExceeded', message, variants: haltedWith(last.variant, question) }];
  });
}

const unforgiven = ({ report }: HaltQuestion) => report.failures.filter(({ forgiven }) => forgiven !== true);

/**
 * The rules that keep the target out, one for each image. A release is blocked for every way of selecting it, for the
 * variants that failed; a withdrawn one for all. An image without a release is blocked by its id.
 */
export function haltRulesOf({ rollout }: RolloutView, { reason, message, variants }: HaltCause): readonly ImageRule[] {
  if (reason === 'TargetBlocked') return [];
  const images = imagesBeyond(rollout.spec.from, rollout.spec.to).filter(({ variant }) => variants.includes(variant));
  const rules = new Map(
    images.map((image) => {
      const rule = ruleAgainst(image, reason, `${rollout.metadata.name} halted: ${message}`);
      return [rule.metadata.name, rule] as const;
    }),
  );
  return [...rules.values()];
}

function ruleAgainst(image: VariantImage, cause: RolloutHalt['reason'], reason: string): ImageRule {
  const variant = parseVariant(image.variant);
  const ofRelease = variant !== undefined && image.release !== undefined && variant.family !== 'Custom';
  const isForAll = cause === 'TargetWithdrawn';
  const match = ofRelease
    ? {
        family: variant.family,
        versions: [image.release],
        ...(isForAll ? {} : { variants: { architectures: [variant.arch], accelerators: [variant.accelerator] } }),
      }
    : { ids: [image.image] };
  const name = ofRelease
    ? ['halted', variant.family, image.release, ...(isForAll ? [] : [variant.arch, variant.accelerator])].join('-')
    : `halted-${image.image}`;
  return {
    apiVersion: 'nodewright.dev/v1alpha1',
    kind: 'ImageRule',
    metadata: { name: name.toLowerCase() },
    spec: { match, verdict: 'Blocked', reason: reason.slice(0, 1024) },
  };
}
