import { byTextOf, readOwn } from '@nodewright/apis';
import type { Dashboard, DashboardRow } from './dashboard-rows.ts';

/** A part of a dashboard. */
export type DashboardSection = Exclude<keyof Dashboard, 'at'>;

/** Rows that are new or other than before, and the ids of those that are gone. */
export type SectionChange = { readonly set: readonly DashboardRow[]; readonly gone: readonly string[] };

/** What is new since an earlier dashboard. Sections without a change are absent. */
export type DashboardChanges = {
  readonly at: string;
  readonly sections: { readonly [Section in DashboardSection]?: SectionChange };
};

export const dashboardSections: readonly DashboardSection[] = [
  'nodes',
  'blockers',
  'rollouts',
  'images',
  'nodeClasses',
  'spending',
  'savings',
  'keptNodes',
  'waiting',
  'policies',
  'notifications',
  'nodeGroups',
];

/**
 * What leads from one dashboard to the next: `applyDashboardChanges(before, compareDashboards(before, after))` has the rows of
 * `after`.
 */
export function compareDashboards(before: Dashboard, after: Dashboard): DashboardChanges {
  const sections = dashboardSections.flatMap((section) => {
    const change = compareSectionRows(before[section], after[section]);
    return change.set.length === 0 && change.gone.length === 0 ? [] : [[section, change] as const];
  });
  return { at: after.at, sections: Object.fromEntries(sections) };
}

function compareSectionRows(before: readonly DashboardRow[], after: readonly DashboardRow[]): SectionChange {
  const known = new Map(before.map((row) => [row.id, row]));
  const stays = new Set(after.map(({ id }) => id));
  return {
    set: after.filter((row) => !isSameRow(known.get(row.id), row)),
    gone: before.flatMap(({ id }) => (stays.has(id) ? [] : [id])),
  };
}

const isSameRow = (a: DashboardRow | undefined, b: DashboardRow): boolean =>
  a === b || (a !== undefined && hasSameMembers(a, b));

/** Most members are texts and numbers: objects alone are compared as they are written. */
function hasSameMembers(a: DashboardRow, b: DashboardRow): boolean {
  const names = Object.keys(b);
  return (
    names.length === Object.keys(a).length && names.every((name) => isSameMember(readOwn(a, name), readOwn(b, name)))
  );
}

const isSameMember = (a: unknown, b: unknown): boolean =>
  a === b || (typeof a === 'object' && typeof b === 'object' && JSON.stringify(a) === JSON.stringify(b));

/** Rows that stay keep their identity. All are in the order of their ids, whenever each of them came. */
export function applyDashboardChanges(before: Dashboard, { at, sections }: DashboardChanges): Dashboard {
  const changed = dashboardSections.flatMap((section) => {
    const change = sections[section];
    return change === undefined ? [] : [[section, applyRows(before[section], change)] as const];
  });
  // Each section only ever gets rows of its own kind.
  return { ...before, ...(Object.fromEntries(changed) as Partial<Dashboard>), at };
}

function applyRows(before: readonly DashboardRow[], { set, gone }: SectionChange): readonly DashboardRow[] {
  const rows = new Map(before.map((row) => [row.id, row]));
  for (const id of gone) rows.delete(id);
  const kept = rows.size;
  for (const row of set) rows.set(row.id, row);
  const next = [...rows.values()];
  return rows.size === kept ? next : next.toSorted(byTextOf(({ id }) => id));
}

export const emptyDashboard: Dashboard = {
  at: '1970-01-01T00:00:00Z',
  nodes: [],
  blockers: [],
  rollouts: [],
  images: [],
  nodeClasses: [],
  spending: [],
  savings: [],
  keptNodes: [],
  waiting: [],
  policies: [],
  notifications: [],
  nodeGroups: [],
};

/**
 * What a reader sees or does not: a section, or what its rows say beside the objects themselves. Without `nodeReasons` a node is
 * shown as its Node says it is, without `nodeUse` not what is on it, without `podReasons` a waiting pod as its Pod says.
 */
export type DashboardPart = DashboardSection | 'nodeReasons' | 'nodeUse' | 'podReasons';

export const dashboardParts: readonly DashboardPart[] = [...dashboardSections, 'nodeReasons', 'nodeUse', 'podReasons'];

/** The parts that a reader does not see, each with the kinds that the reader would have to be allowed to list for it, too. */
export type HiddenParts = { readonly [Part in DashboardPart]?: readonly string[] };

/** What a server sends to a page: everything at first, then what has changed, and what stands in the way of more. */
export type FeedMessage = {
  readonly dashboard?: Dashboard;
  readonly changes?: DashboardChanges;
  /** False until the cluster has been read once. */
  readonly isComplete: boolean;
  readonly problem?: string;
  /** What AWS does not tell, why, and what to do about it; absent while it answers. */
  readonly untold?: string;
  /** Absent for a reader who sees everything. */
  readonly hidden?: HiddenParts;
  /** Whether the reader may have receivers of notifications tried. */
  readonly mayTest?: boolean;
};
