import { byText, byTextOf, fromTimestamp, inOrder, byNumberOf } from '@nodewright/apis';
import {
  adviseOnCause,
  type BlockerRow,
  type CauseGroup,
  countWords,
  type Dashboard,
  type DashboardPart,
  describeHourlyCost,
  describeMissingRights,
  describeNodeStage,
  describePolicy,
  describeWave,
  formatHourlyPrice,
  groupLikeCauses,
  groupSentences,
  type GroupProgressRow,
  type HiddenParts,
  nameCause,
  type PolicyRow,
  type NodeRow,
  printedAge,
  printWindow,
  type RolloutRow,
  type SentenceGroup,
  sumHourlyPrices,
  spellNodeCount,
  summarizeStages,
  type WaitingRow,
} from '@nodewright/dashboard/rows';
import { drawUseBar, layOutColumns, type TextColumn, breakLines } from './text-cells.ts';

export const topViews = ['nodes', 'rollouts', 'blockers', 'pods'] as const;

export type TopView = (typeof topViews)[number];

/** A line of the terminal view. What it is about decides its colour, where there is one. */
export type TopLine = { readonly text: string; readonly tone?: 'title' | 'bad' | 'warning' | 'faint' };

/** A dashboard as far as the caller may read it, and what that leaves out. */
export type SeenDashboard = {
  readonly dashboard: Dashboard;
  readonly hidden?: HiddenParts;
  /** What AWS does not tell, and what to do about it. */
  readonly untold?: string;
};

/** What the views show, with the words for each part. A view whose first part is hidden shows nothing of the cluster. */
const partsOfViews: Readonly<Record<TopView, readonly (readonly [part: DashboardPart, what: string])[]>> = {
  nodes: [
    ['nodes', 'nodes are'],
    ['nodeReasons', 'what is to become of nodes, and NodeClaims without one, are'],
  ],
  rollouts: [
    ['rollouts', 'rollouts are'],
    ['nodeGroups', 'NodeGroups are'],
  ],
  blockers: [['blockers', 'blockers are']],
  pods: [
    ['waiting', 'waiting pods are'],
    ['podReasons', 'where waiting pods could run is'],
  ],
};

export function isViewHidden(view: TopView, hidden: HiddenParts): boolean {
  const [first] = partsOfViews[view];
  return first !== undefined && hidden[first[0]] !== undefined;
}

/** The lines of one view, all of them, and what the caller may not read of it. Tables and sentences are at most so wide. */
export const listTopLines = (
  { dashboard, hidden = {}, untold }: SeenDashboard,
  view: TopView,
  width: number,
): readonly TopLine[] => [
  ...(untold === undefined ? [] : sentenceLines(untold, width, 'warning')),
  ...listHiddenLines(hidden, view, width),
  ...(isViewHidden(view, hidden) ? [] : listViewLines({ dashboard, hidden }, view, width)),
];

function listHiddenLines(hidden: HiddenParts, view: TopView, width: number): readonly TopLine[] {
  const [first] = partsOfViews[view].flatMap(([part, what]) => {
    const missing = hidden[part];
    return missing === undefined ? [] : [`${what} not shown to you: you would need ${describeMissingRights(missing)}`];
  });
  return first === undefined ? [] : sentenceLines(first, width, 'warning');
}

function listViewLines(
  { dashboard, hidden }: Required<Omit<SeenDashboard, 'untold'>>,
  view: TopView,
  width: number,
): readonly TopLine[] {
  switch (view) {
    case 'nodes':
      return listNodeLines(dashboard, hidden, width);
    case 'rollouts':
      return listAllRolloutLines(dashboard, width);
    case 'blockers':
      return listBlockerLines(dashboard, width);
    case 'pods':
      return listWaitingLines(dashboard.waiting, width);
  }
}

/** What the cluster is like in one line, as far as the caller may read it. */
export function summarizeDashboard({
  dashboard: { nodes, blockers, waiting, at },
  hidden = {},
}: SeenDashboard): string {
  const pods = waiting.reduce((sum, row) => sum + row.pods, 0);
  return [
    at,
    ...(hidden.nodes === undefined ? [`${spellNodeCount(nodes.length)}: ${summarizeStages(nodes) || 'none'}`] : []),
    ...(hidden.blockers === undefined ? [`${blockers.length} held`] : []),
    ...(hidden.waiting === undefined ? [pods === 1 ? '1 pod waits' : `${pods} pods wait`] : []),
    ...(arePricesShown(hidden) ? [describeCostOfNodes(nodes)] : []),
  ].join(' | ');
}

const arePricesShown = ({ nodeReasons, spending }: HiddenParts): boolean =>
  nodeReasons === undefined && spending === undefined;

/** `$1.234/h`, with the nodes whose price is not known. */
function describeCostOfNodes(nodes: readonly NodeRow[]): string {
  const cost = sumHourlyPrices(nodes);
  const unpriced = nodes.filter(({ microUsdPerHour }) => microUsdPerHour === undefined).length;
  return unpriced === 0 ? `${formatHourlyPrice(cost)}/h` : describeHourlyCost(cost, unpriced);
}

const ageSince = (since: string | undefined, at: string): string =>
  since === undefined ? '-' : printedAge(Math.floor((fromTimestamp(at) - fromTimestamp(since)) / 1_000));

const barWidth = 8;

/** Without those that would be empty for want of rights. */
const chooseNodeColumns = (at: string, hidden: HiddenParts): readonly TextColumn<NodeRow>[] =>
  nodeTextColumns(at).filter(
    ({ title }) =>
      (title !== 'PRICE/H' || arePricesShown(hidden)) && (hidden.nodeUse === undefined || !useTitles.includes(title)),
  );

const useTitles: readonly string[] = ['CPU', 'MEMORY', 'PODS'];

const nodeTextColumns = (at: string): readonly TextColumn<NodeRow>[] => [
  // So much of a name such as ip-192-168-105-110.ec2.internal tells it from others.
  { title: 'NODE', cell: ({ id }) => `  ${id}`, least: 24, weight: 9 },
  { title: 'STATE', cell: ({ stage }) => describeNodeStage(stage), least: 11, weight: 8 },
  { title: 'CPU', cell: ({ cpuPercent = 0 }) => drawUseBar(cpuPercent, barWidth), least: 13, weight: 7 },
  { title: 'MEMORY', cell: ({ memoryPercent = 0 }) => drawUseBar(memoryPercent, barWidth), least: 13, weight: 4 },
  { title: 'PODS', cell: ({ pods = 0 }) => String(pods), least: 4, weight: 3 },
  { title: 'IMAGE', cell: ({ release, image }) => release ?? image ?? '-', least: 12, weight: 6 },
  { title: 'AGE', cell: ({ createdAt }) => ageSince(createdAt, at), least: 6, weight: 5 },
  {
    title: 'PRICE/H',
    cell: ({ microUsdPerHour: price }) => (price === undefined ? '-' : formatHourlyPrice(price)),
    least: 7,
    weight: 2,
  },
  {
    title: 'TYPE',
    cell: ({ instanceType = '-', capacityType = '-' }) => `${instanceType} ${capacityType}`,
    least: 14,
    weight: 1,
  },
];

const toneOfNode = ({ stage }: NodeRow): Pick<TopLine, 'tone'> =>
  stage === 'troubled'
    ? { tone: 'bad' }
    : stage === 'toMove' || stage === 'leaving' || stage === 'starting'
      ? { tone: 'warning' }
      : {};

/** Nodes under their pool or group, those that need attention first. */
function listNodeLines({ nodes, at }: Dashboard, hidden: HiddenParts, width: number): readonly TopLine[] {
  if (nodes.length === 0) return [{ text: 'no node' }];
  const groups = [...new Set(nodes.map(({ group }) => group))].toSorted(byText);
  const sorted = nodes.toSorted(byGroupAndUrgency(groups));
  const { header, lines } = layOutColumns(chooseNodeColumns(at, hidden), sorted, width);
  const listed = sorted.map((row, index) => ({ row, line: { text: lines[index] ?? '', ...toneOfNode(row) } }));
  return [
    { text: header, tone: 'faint' },
    ...groups.flatMap((group) => {
      const own = listed.filter(({ row }) => row.group === group);
      return [
        summarizeGroup(
          group,
          own.map(({ row }) => row),
          hidden,
        ),
        ...own.map(({ line }) => line),
      ];
    }),
  ];
}

const byGroupAndUrgency = (groups: readonly string[]) =>
  inOrder<NodeRow>(
    byNumberOf(({ group }) => groups.indexOf(group)),
    byNumberOf(({ stage }) => Number(stage === 'ready')),
    byTextOf(({ id }) => id),
  );

function summarizeGroup(group: string, nodes: readonly NodeRow[], hidden: HiddenParts): TopLine {
  const cpu = Math.round(nodes.reduce((sum, { cpuPercent = 0 }) => sum + cpuPercent, 0) / Math.max(1, nodes.length));
  const amounts = [
    ...(hidden.nodeUse === undefined ? [`cpu ${drawUseBar(cpu, barWidth)}`] : []),
    ...(arePricesShown(hidden) ? [describeCostOfNodes(nodes)] : []),
  ];
  return { text: [`${group}: ${summarizeStages(nodes)}`, ...amounts].join('; '), tone: 'title' };
}

/** Rollouts of policies, and NodeGroups that are not what they are to be. */
function listAllRolloutLines({ rollouts, nodeGroups, policies }: Dashboard, width: number): readonly TopLine[] {
  const moving = nodeGroups.filter(({ phase }) => phase !== 'UpToDate');
  const told = policies.filter(({ id, notes }) => notes.length > 0 || !rollouts.some(({ policy }) => policy === id));
  return [
    ...(rollouts.length === 0 && moving.length === 0
      ? [{ text: 'no rollout: no NodeRolloutPolicy has led nodes to another image yet' }]
      : []),
    ...told.flatMap((policy) => listPolicyLines(policy, width)),
    ...rollouts.flatMap((rollout) => listRolloutLines(rollout, width)),
    ...moving.flatMap((group) => listGroupLines(group, width)),
  ];
}

const listPolicyLines = (policy: PolicyRow, width: number): readonly TopLine[] => [
  ...sentenceLines(`NodeRolloutPolicy ${policy.id} ${describePolicy(policy)}`, width, 'title'),
  ...policy.notes.flatMap(({ message, urgency }) =>
    sentenceLines(`  ${message}`, width, urgency === 'broken' ? 'bad' : 'warning'),
  ),
];

function listGroupLines(
  { id, phase, reason, target, total, updated }: GroupProgressRow,
  width: number,
): readonly TopLine[] {
  const head = `NodeGroup ${id}: ${phase}${target === undefined ? '' : `, to ${target}`}`;
  return [
    ...sentenceLines(head, width, phase === 'Failed' ? 'bad' : 'title'),
    { text: `  ${drawProgress(updated, total, width)}  ${updated} of ${total} updated` },
    ...sentenceLines(`  ${reason}`, width),
    { text: '' },
  ];
}

function drawProgress(updated: number, total: number, width: number): string {
  const percent = total === 0 ? 0 : Math.round((updated / total) * 100);
  return drawUseBar(percent, Math.max(10, Math.min(40, width - 50)));
}

function listRolloutLines(rollout: RolloutRow, width: number): readonly TopLine[] {
  const { id, state, wave, updated, total, halted, waits, window, parked = [], change, images, commands } = rollout;
  const isBad = halted !== undefined;
  return [
    ...sentenceLines(
      `${id}: ${state}${wave === undefined ? '' : `, wave ${wave}`}${change === '' ? '' : `, ${change}`}`,
      width,
      isBad ? 'bad' : 'title',
    ),
    {
      text: `  ${drawProgress(updated, total, width)}  ${countWords(rollout)}`,
    },
    ...(halted === undefined ? [] : sentenceLines(`  halted: ${halted}`, width, 'bad')),
    ...waits.flatMap(({ message, since }) =>
      sentenceLines(`  waits${since === undefined ? '' : ` since ${since}`}: ${message}`, width, 'warning'),
    ),
    ...(window === undefined || window.isOpen ? [] : sentenceLines(`  ${printWindow(window)}`, width)),
    ...parked.flatMap(({ node, since, message }) =>
      sentenceLines(`  ${node} is parked since ${since}: ${message}`, width, 'warning'),
    ),
    ...rollout.waves.flatMap((each) => sentenceLines(`  ${describeWave(each)}`, width)),
    ...images.flatMap((each) => sentenceLines(`  ${each}`, width, 'faint')),
    ...commands.flatMap(({ command }) => sentenceLines(`  $ ${command}`, width, 'faint')),
    { text: '' },
  ];
}

const sentenceLines = (text: string, width: number, tone?: TopLine['tone']): readonly TopLine[] =>
  breakLines(text, width, '    ').map((line) => ({ text: line, ...(tone === undefined ? {} : { tone }) }));

/** Each cause once, with how many nodes it holds and what to do, then every node. */
function listBlockerLines({ blockers, at }: Dashboard, width: number): readonly TopLine[] {
  if (blockers.length === 0) return [{ text: 'nothing is held: every node that should move goes, or is next' }];
  const columns: readonly TextColumn<BlockerRow>[] = [
    { title: 'NODE', cell: ({ node }) => node, least: 16, weight: 9 },
    { title: 'SINCE', cell: ({ since }) => ageSince(since, at), least: 6, weight: 7 },
    { title: 'SHOULD MOVE FOR', cell: ({ because }) => because, least: 12, weight: 5 },
    {
      title: 'CAUSE',
      cell: ({ causes }) => causes.map(({ cause }) => nameCause(cause)).join(', '),
      least: 8,
      weight: 6,
    },
    // The causes above have it in full.
    { title: 'WHY', cell: ({ causes }) => causes.map(({ message }) => message).join('; '), least: 60, weight: 1 },
  ];
  const { header, lines } = layOutColumns(columns, blockers, width);
  return [
    ...groupLikeCauses(blockers).flatMap((group) => listCauseLines(group, width)),
    { text: '' },
    { text: header, tone: 'faint' },
    ...lines.map((text) => ({ text, tone: 'warning' as const })),
  ];
}

const mostReasonsOfCause = 3;

function listCauseLines({ cause, messages, nodes }: CauseGroup, width: number): readonly TopLine[] {
  const by = cause.object === undefined ? nameCause(cause.cause) : `${cause.object.kind} ${cause.object.name}`;
  const advice = cause.until === undefined ? adviseOnCause(cause) : undefined;
  const reasons = groupSentences(messages);
  const more = reasons.length - mostReasonsOfCause;
  return [
    ...sentenceLines(
      `${nodes.length === 1 ? '1 node is' : `${nodes.length} nodes are`} held by ${by}:`,
      width,
      'title',
    ),
    ...reasons.slice(0, mostReasonsOfCause).flatMap((reason) => sentenceLines(`  ${describeReason(reason)}`, width)),
    ...(more > 0 ? [{ text: `  and ${more} other ${more === 1 ? 'reason' : 'reasons'}` }] : []),
    ...(advice === undefined ? [] : sentenceLines(`  to do: ${advice}`, width, 'warning')),
  ];
}

/** Each node has its own words in the table. */
const describeReason = ({ pattern, sentences }: SentenceGroup): string =>
  sentences.length === 1 ? pattern : `${pattern} (${sentences.length} times)`;

function listWaitingLines(waiting: readonly WaitingRow[], width: number): readonly TopLine[] {
  if (waiting.length === 0) return [{ text: 'no pod waits for a node' }];
  return waiting.flatMap(({ pods, answer, reasons, names, stage }) => [
    ...sentenceLines(
      `${pods} ${pods === 1 ? `pod ${answer}` : `pods: each ${answer}`}`,
      width,
      stage === 'noPlace' ? 'bad' : 'title',
    ),
    ...reasons.flatMap((reason) => sentenceLines(`  - ${reason}`, width)),
    {
      text: `  ${names.slice(0, 5).join(', ')}${pods > 5 ? ` and ${pods - 5} more` : ''}`,
      tone: 'faint' as const,
    },
  ]);
}
