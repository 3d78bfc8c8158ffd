import type { ClusterHistory, ForeseenChanges, HistoryTrack } from '../history/history-rows.ts';
import { type DashboardSection, dashboardSections, type HiddenSections } from '../rows/dashboard-changes.ts';
import type { Dashboard } from '../rows/dashboard-rows.ts';

/** `pods` and `nodepools.karpenter.sh`, as `kubectl auth can-i list` takes them. */
export type ReadableKind = string;

const poolKinds: readonly ReadableKind[] = ['nodes', 'nodeclaims.karpenter.sh', 'nodepools.karpenter.sh'];
const rolloutKinds: readonly ReadableKind[] = [
  'noderolloutpolicies.nodewright.dev',
  'noderollouts.nodewright.dev',
  'imagerules.nodewright.dev',
];

/** Sentences about nodes name what holds them. */
const nodeKinds: readonly ReadableKind[] = [
  ...poolKinds,
  ...rolloutKinds,
  'ec2nodeclasses.karpenter.k8s.aws',
  'disruptionpauses.nodewright.dev',
  'nodegroups.nodewright.dev',
  'pods',
  'persistentvolumeclaims',
  'poddisruptionbudgets.policy',
];

/** Every kind from which something is written into a section. Whoever may not list all of them does not see the section. */
const kindsOfSection: Readonly<Record<DashboardSection, readonly ReadableKind[]>> = {
  nodes: nodeKinds,
  blockers: nodeKinds,
  savings: nodeKinds,
  keptNodes: nodeKinds,
  rollouts: [...rolloutKinds, 'nodes', 'pods'],
  notifications: rolloutKinds,
  nodeGroups: nodeKinds,
  images: [...rolloutKinds, 'ec2nodeclasses.karpenter.k8s.aws', 'nodeclaims.karpenter.sh'],
  nodeClasses: [...rolloutKinds, 'ec2nodeclasses.karpenter.k8s.aws', 'nodeclaims.karpenter.sh'],
  spending: poolKinds,
  waiting: [...poolKinds, 'ec2nodeclasses.karpenter.k8s.aws', 'pods', 'persistentvolumeclaims'],
};

/** Everything that a reader may have to be allowed to list. */
export const dashboardKinds: readonly ReadableKind[] = [...new Set(Object.values(kindsOfSection).flat())];

/** What the view does not show to a reader who may list only some kinds, and which rights are missing. */
export const listHiddenSections = (kinds: ReadonlySet<ReadableKind>): HiddenSections =>
  Object.fromEntries(
    dashboardSections.flatMap((section) => {
      const missing = kindsOfSection[section].filter((kind) => !kinds.has(kind));
      return missing.length === 0 ? [] : [[section, missing] as const];
    }),
  );

/** The dashboard without the rows of the sections that the reader may not see. */
export const restrictDashboard = (dashboard: Dashboard, sections: ReadonlySet<DashboardSection>): Dashboard =>
  sections.size === dashboardSections.length
    ? dashboard
    : dashboardSections
        .filter((section) => !sections.has(section))
        .reduce<Dashboard>((rest, section) => ({ ...rest, [section]: noRows }), dashboard);

/** One list for all: what is hidden never changes. */
const noRows: readonly never[] = [];

export function restrictHistory(history: ClusterHistory, sections: ReadonlySet<DashboardSection>): ClusterHistory {
  const isShown = ({ track }: { readonly track: HistoryTrack }): boolean => sections.has(track);
  return { ...history, base: history.base.filter(isShown), entries: history.entries.filter(isShown) };
}

export const restrictForecast = (
  forecast: ForeseenChanges,
  sections: ReadonlySet<DashboardSection>,
): ForeseenChanges => ({ ...forecast, entries: forecast.entries.filter(({ track }) => sections.has(track)) });

/** What is explained with the words of which section. */
const sectionsOfExplanations: Readonly<Record<string, DashboardSection>> = {
  node: 'nodes',
  nodepool: 'nodes',
  budget: 'nodes',
  nodeclass: 'nodeClasses',
  pod: 'waiting',
  // It names what holds nodes.
  rollout: 'nodes',
};

/** The section whose rights an explanation needs: `node/a` is that of nodes. All rights, where it is not known. */
export const findSectionOfExplanation = (path: string): DashboardSection =>
  Object.entries(sectionsOfExplanations).find(([kind]) => path.startsWith(`${kind}/`))?.[1] ?? 'nodes';
