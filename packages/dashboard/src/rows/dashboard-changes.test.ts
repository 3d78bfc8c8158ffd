import * as fc from 'fast-check';
import { byTextOf } from '@nodewright/apis';
import { expect, test } from 'vitest';
import type { Dashboard } from './dashboard-rows.ts';
import { applyDashboardChanges, compareDashboards, dashboardSections, emptyDashboard } from './dashboard-changes.ts';

const someRows = fc
  .uniqueArray(fc.record({ id: fc.constantFrom('a', 'b', 'c', 'd', 'constructor', '__proto__'), value: fc.nat(2) }), {
    selector: ({ id }) => id,
  })
  .map((rows) => rows.toSorted(byTextOf(({ id }) => id)));

const someDashboard = fc
  .tuple(...dashboardSections.map((section) => someRows.map((rows) => [section, rows] as const)))
  .map((sections) => ({ ...emptyDashboard, ...Object.fromEntries(sections) }) satisfies Dashboard);

test('changes lead from any dashboard to any other', () => {
  fc.assert(
    fc.property(someDashboard, someDashboard, (before, after) => {
      const there = applyDashboardChanges(before, compareDashboards(before, after));
      // In the order of ids, whichever rows came first.
      expect(there).toEqual(after);
    }),
  );
});

test('equal dashboards have no changes, and rows that stay keep their identity', () => {
  fc.assert(
    fc.property(someDashboard, (dashboard) => {
      const same = structuredClone(dashboard);
      expect(compareDashboards(dashboard, same).sections).toEqual({});
      const there = applyDashboardChanges(dashboard, compareDashboards(dashboard, same));
      for (const section of dashboardSections) expect(there[section]).toBe(dashboard[section]);
    }),
  );
});
