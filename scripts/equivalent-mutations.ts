import { readOwn } from '@nodewright/apis';
import type { Mutation } from './mutations.ts';

/** Mutations of a line, found by a part of its text, that no test can notice, and why. */
type Equivalent = { readonly line: string; readonly because: string; readonly changes: readonly string[] };

const memo = 'the memo is found or not: the schedule gives the same hit';
const typeOnly = 'the value is there whenever this is reached: the other one is for the compiler';

const typeOnlyComparison = 'nothing is not later than now either';
const onlyMemory = 'what is asked is whether the time has passed: this frees memory alone';
const stringifiedNothing = 'JSON.stringify makes undefined of undefined';
const storedPod = 'pods of a cluster have a namespace and a uid';

/** By source: mutations that change nothing a caller could see. */
const equivalents: Readonly<Record<string, readonly Equivalent[]>> = {
  'packages/apis/src/karpenter/lossless/conversion-review.ts': [
    {
      line: 'error instanceof Error',
      because: 'conversions throw errors alone',
      changes: ['error instanceof Error ? error.message : String(error) → (error.message)'],
    },
  ],
  'packages/apis/src/karpenter/rewrite/kubelet-settings.ts': [
    {
      line: "if ('complaints' in outcome)",
      because: 'a refused manifest is of no class and has no settings: it comes back in any case',
      changes: ["'complaints' in outcome → false"],
    },
  ],
  'packages/apis/src/karpenter/v1beta1/convert-ec2-node-class.ts': [
    {
      line: 'return at < 0 ? [text]',
      because: 'an alias has a family before its first @',
      changes: ['< → <=', '0 → 1'],
    },
  ],
  'packages/apis/src/karpenter/v1beta1/convert-node-claim.ts': [
    {
      line: '[karpenterAnnotations.v1beta1Kubelet]: kubelet === undefined',
      because: stringifiedNothing,
      changes: ['kubelet === undefined ? undefined : JSON.stringify(kubelet) → (JSON.stringify(kubelet))'],
    },
  ],
  'packages/apis/src/karpenter/v1beta1/convert-node-pool.ts': [
    {
      line: '[karpenterAnnotations.v1beta1Kubelet]: kubelet === undefined',
      because: stringifiedNothing,
      changes: ['kubelet === undefined ? undefined : JSON.stringify(kubelet) → (JSON.stringify(kubelet))'],
    },
  ],
  'packages/engine/src/disruption/budgets/budget-hours.ts': [
    {
      line: 'if (known !== undefined && known.from <= at',
      because: memo,
      changes: ['known !== undefined && known.from <= at && at < known.hit → false', '<= → <'],
    },
    {
      line: 'known = hit === undefined',
      because: memo,
      changes: [
        'known = hit === undefined ? undefined : { from: at, hit }; → ;',
        'hit === undefined ? undefined : { from: at, hit } → (undefined)',
        'hit === undefined ? undefined : { from: at, hit } → ({ from: at, hit })',
        '=== → !==',
      ],
    },
  ],
  'packages/engine/src/disruption/budgets/budget-ledger.ts': [
    {
      line: 'const isTakenBack =',
      because: 'no node is taken back under no name',
      changes: ["candidate.nodeClaim?.metadata.name ?? '' → candidate.nodeClaim?.metadata.name"],
    },
    {
      line: 'const disrupting =',
      because: 'a sick candidate is among the nodes that were counted',
      changes: ['this.#counts.get(name)?.notReady ?? 0 → this.#counts.get(name)?.notReady', '0 → 1'],
    },
  ],
  'packages/engine/src/disruption/budgets/budgets.ts': [
    {
      line: 'instanceof ValueError',
      because: 'readers of values throw nothing else',
      changes: ['error instanceof ValueError → true'],
    },
  ],
  'packages/engine/src/disruption/budgets/cron-schedule.ts': [
    { line: 'const pattern =', because: typeOnly, changes: ["parts[index] ?? '' → parts[index]"] },
    {
      line: '(range.from ?? 0) > (range.to ?? 0)',
      because: typeOnly,
      changes: ['range.from ?? 0 → range.from', 'range.to ?? 0 → range.to', '0 → 1'],
    },
    {
      line: 'return index < 0',
      because: 'a name that there is not comes to a number below the least one, which is refused as well',
      changes: ['index < 0 ? undefined : index + least → (index + least)'],
    },
    { line: 'new Intl.DateTimeFormat', because: 'any time does to try the zone', changes: ['0 → 1'] },
  ],
  'packages/engine/src/disruption/budgets/pool-counts.ts': [
    {
      line: 'if (nodePool === undefined) continue;',
      because: 'nothing asks for the counts of no pool',
      changes: ['nodePool === undefined → false'],
    },
    {
      line: "type === 'Ready' && status === 'True'",
      because: 'callers ask whether it is so: nothing is as good as no',
      changes: [
        "node?.status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') ?? false → node?.status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True')",
      ],
    },
  ],
  'packages/engine/src/disruption/evictions/eviction-api.ts': [
    {
      line: '(budget.status?.disruptionsAllowed ?? 0) > 0',
      because: 'nothing is not more than 0 either',
      changes: ['budget.status?.disruptionsAllowed ?? 0 → budget.status?.disruptionsAllowed'],
    },
  ],
  'packages/engine/src/disruption/evictions/pod-disruption-budgets.ts': [
    { line: 'return guards.length > 0 &&', because: 'no guard refuses nothing', changes: ['> → >='] },
    {
      line: 'instanceof ValueError',
      because: 'readers of selectors throw nothing else',
      changes: ['error instanceof ValueError → true'],
    },
  ],
  'packages/engine/src/images/decide-images.ts': [
    {
      line: 'return reason === undefined',
      because: 'where nothing is chosen every candidate is held for a reason',
      changes: ['reason === undefined ? [] : [{ candidate, reason }] → ([{ candidate, reason }])'],
    },
    {
      line: "reason.kind === 'tooYoung' && (chosen",
      because: 'no two images are equally good, the id decides; and what is worse is so by one at least',
      changes: ['< → <=', '0 → 1'],
    },
  ],
  'packages/engine/src/images/image-obstacle.ts': [
    {
      line: "isWithinSkew(image.name ?? ''",
      because: 'no form of a name fits the word undefined either',
      changes: ["image.name ?? '' → image.name"],
    },
    {
      line: "name: image.name ?? '',",
      because: 'no rule names an image by the word undefined',
      changes: ["image.name ?? '' → image.name"],
    },
  ],
  'packages/engine/src/images/image-problem.ts': [
    {
      line: "verdict.kind === 'blocked'",
      because: 'only blocked images are told of here: the other branch is for the compiler',
      changes: [
        "verdict.kind === 'blocked' ? [`ImageRule ${verdict.rule} blocks ${image.id} (${image.name}): ${ve... → ([`ImageRule ${verdict.rule} blocks ${image.id} (${image.name}): ${verdict.reason}`])",
      ],
    },
  ],
  'packages/engine/src/images/image-rules.ts': [
    {
      line: 'const [, operator = ',
      because: typeOnly,
      changes: ['/^(>=|<=|>|<|=)?(.*)$/.exec(bound) ?? [] → /^(>=|<=|>|<|=)?(.*)$/.exec(bound)'],
    },
  ],
  'packages/engine/src/images/variants.ts': [
    {
      line: "const [value] = operator === 'In'",
      because: 'what a variant requires exists, does not, or is in a list: without values there is none to take',
      changes: ["operator === 'In' ? (values ?? []) : [] → (values ?? [])", 'values ?? [] → values'],
    },
    {
      line: "releaseOfImageName(name ?? ''",
      because: 'no form of a name fits the word undefined either',
      changes: ["name ?? '' → name"],
    },
  ],
  'packages/kube-api/src/conversion/conversion-webhook.ts': [
    {
      line: 'return checkedObject(object, found[index]',
      because: typeOnly,
      changes: ['found[index] ?? null → found[index]'],
    },
  ],
  'packages/operator/src/controllers/eviction/draining.ts': [
    {
      line: 'if (deadline === undefined) return false;',
      because: 'nothing is later than a time that is none',
      changes: ['deadline === undefined → false'],
    },
  ],
  'packages/operator/src/controllers/eviction/granted-evictions.ts': [
    {
      line: 'if (uid === undefined) return;',
      because: 'what is noted without a uid is not found without one',
      changes: ['uid === undefined → false'],
    },
    { line: 'this.#forgetOld();', because: onlyMemory, changes: ['this.#forgetOld(); → ;'] },
    { line: 'this.#until.delete(uid);', because: onlyMemory, changes: ['this.#until.delete(uid); → ;'] },
    {
      line: 'this.#until.get(uid) ?? 0',
      because: typeOnlyComparison,
      changes: ['this.#until.get(uid) ?? 0 → this.#until.get(uid)'],
    },
    {
      line: 'if (until > this.#clock.now()) return;',
      because: onlyMemory,
      changes: ['until > this.#clock.now() → true', '> → >='],
    },
  ],
  'packages/operator/src/controllers/eviction/key.ts': [
    {
      line: 'metadata.namespace',
      because: storedPod,
      changes: ["metadata.namespace ?? '' → metadata.namespace", "metadata.uid ?? '' → metadata.uid"],
    },
  ],
  'packages/operator/src/controllers/eviction/observe.ts': [
    {
      line: 'objects.nodes.get(pod.spec.nodeName',
      because: 'no node is without a name',
      changes: ["pod.spec.nodeName ?? '' → pod.spec.nodeName"],
    },
    {
      line: "objects.podDisruptionBudgets.by('namespace'",
      because: storedPod,
      changes: ["pod.metadata.namespace ?? '' → pod.metadata.namespace"],
    },
  ],
  'packages/operator/src/controllers/eviction/perform.ts': [
    {
      line: 'const withUid =',
      because: storedPod,
      changes: ['uid === undefined ? {} : { preconditions: { uid } } → ({ preconditions: { uid } })'],
    },
  ],
  'packages/operator/src/controllers/eviction/report.ts': [
    {
      line: 'const time = deadline === undefined',
      because: 'a pod is deleted by force because of a deadline',
      changes: ["deadline === undefined ? '' : ` ${toTimestamp(deadline)}` → (` ${toTimestamp(deadline)}`)"],
    },
  ],
  'packages/requirements/src/compatibility.ts': [
    {
      line: 'const smaller = base.size <=',
      because: 'either one of the two sets may be walked through',
      changes: [
        'base.size <= incoming.size ? base : incoming → (base)',
        'base.size <= incoming.size ? base : incoming → (incoming)',
        '<= → <',
      ],
    },
  ],
  'packages/requirements/src/requirement-complaint.ts': [
    {
      line: "const minValues = 'minValues' in written",
      because: 'a list without values is refused before, and none of values has fewer than nothing',
      changes: [
        "'minValues' in written ? (written.minValues ?? 0) : 0 → (written.minValues ?? 0)",
        'written.minValues ?? 0 → written.minValues',
        '0 → 1',
      ],
    },
    { line: '!/^\\d+$/.test(values[0]', because: typeOnly, changes: ["values[0] ?? '' → values[0]"] },
  ],
  'packages/requirements/src/requirement-text.ts': [
    {
      line: 'const values = r.values.size < 2',
      because: 'a list of one is in order',
      changes: ['r.values.size < 2 ? [...r.values] : [...r.values].toSorted() → ([...r.values].toSorted())'],
    },
  ],
  'packages/requirements/src/requirement.ts': [
    {
      line: "const minValues = 'minValues' in written",
      because: typeOnly,
      changes: ["'minValues' in written ? written.minValues : undefined → (written.minValues)"],
    },
  ],
  'packages/requirements/src/intersection.ts': [
    {
      line: 'if (atMost - atLeast >=',
      because: 'the loop below finds the same number, later',
      changes: ['atMost - atLeast >= a.values.size + b.values.size → false', '>= → >'],
    },
    { line: 'const list = a.complement ||', because: 'of two lists either one may be searched', changes: ['< → <='] },
    {
      line: 'if (b.size === 0) return a;',
      because: 'a loop over nothing returns the same',
      changes: ['b.size === 0 → false'],
    },
    {
      line: 'if (a === b) return true;',
      because: 'a requirement that is intersected with itself says the same',
      changes: ['a === b → false', 'true → false'],
    },
    {
      line: '(b.minValues ?? 0) >',
      because: 'nothing is not more than a number either',
      changes: ['b.minValues ?? 0 → b.minValues'],
    },
  ],
  'packages/requirements/src/nearest-key.ts': [
    {
      line: '    others',
      because: 'a key that differs by more letters has more slips: it is left out a little later',
      changes: [
        ' // Each letter more or less is a slip of its own: most keys need no closer look. .filter((each) ... → ',
      ],
    },
    { line: 'const slipsAt =', because: typeOnly, changes: ['row[index] ?? 0 → row[index]', '0 → 1'] },
  ],
};

/** Why no test can notice a mutation of a source; `undefined` for one that a test should notice. */
export function explainEquivalent(file: string, source: string, { line, change }: Mutation): string | undefined {
  const text = source.split('\n')[line - 1] ?? '';
  return equivalentsOf(file).find((each) => text.includes(each.line) && each.changes.includes(change))?.because;
}

/** Changes that are listed for a source and are no mutation of it any more. */
export function listStaleEquivalents(file: string, source: string, mutations: readonly Mutation[]): readonly string[] {
  const lines = source.split('\n');
  return equivalentsOf(file).flatMap(({ line, changes }) =>
    changes.filter(
      (change) => !mutations.some((each) => each.change === change && lines[each.line - 1]?.includes(line) === true),
    ),
  );
}

const equivalentsOf = (file: string): readonly Equivalent[] => readOwn(equivalents, file) ?? [];

/** The sources that have equivalent mutations. */
export const filesWithEquivalents: readonly string[] = Object.keys(equivalents);
