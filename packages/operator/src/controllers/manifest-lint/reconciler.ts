import { lintManifests } from '@nodewright/lint';
import { type Clock, type Reconciler, settled } from '@nodewright/runtime';
import type { Publisher } from '../../reporting/publisher.ts';
import type { Objects } from '../../state/objects.ts';
import { listLintedObjects } from './observe.ts';
import { planManifestLint, type ToldFindings } from './plan.ts';
import { reportLintFinding } from './report.ts';

/** The findings that were reported. A new process reports them once more: events are gone after an hour in any case. */
export type LintMemory = { told: ToldFindings };

type ManifestLintDeps = {
  readonly objects: Objects;
  readonly clock: Clock;
  readonly publish: Publisher;
  readonly memory: LintMemory;
};

/** `manifest.lint`: what the rules find in all manifests together, as events on the objects. There is one key. */
export function manifestLintReconciler({ objects, clock, publish, memory }: ManifestLintDeps): Reconciler {
  return () => {
    const findings = lintManifests(listLintedObjects(objects), { now: clock.now() });
    const { toTell, told } = planManifestLint(findings, memory.told);
    memory.told = told;
    publish(toTell.flatMap(reportLintFinding));
    return Promise.resolve(settled);
  };
}
