import { instant, seconds } from '@nodewright/apis';
import type { Controller } from '@nodewright/runtime';
import { startNamed, type ControllerHost } from '../../hosting/controller-host.ts';
import { isAnotherGeneration, type Wakes, wakeOnChange } from '../../hosting/wake.ts';
import type { Objects } from '../../state/objects.ts';
import { type LintMemory, manifestLintReconciler } from './reconciler.ts';

const manifests = 'manifests';

/** Manifests that belong together come one after the other: they are looked at a while after the first of them. */
const settledAfterMs = seconds(30);

/** `manifest.lint` wakes for another generation of a NodePool, an EC2NodeClass or a NodeRolloutPolicy. */
export function startManifestLint(host: ControllerHost, { objects }: { readonly objects: Objects }): Controller {
  const memory: LintMemory = { told: new Map() };
  const lint = startNamed(host, 'manifest.lint', (turn) => manifestLintReconciler({ ...turn, objects, memory }));
  const later = { enqueue: (key: string) => lint.enqueueAt(key, instant(host.clock.now() + settledAfterMs)) };
  const wakes: Wakes<unknown> = [[later, () => [manifests]]];
  wakeOnChange(objects.nodePools, wakes, isAnotherGeneration);
  wakeOnChange(objects.nodeClasses, wakes, isAnotherGeneration);
  wakeOnChange(objects.rolloutPolicies, wakes, isAnotherGeneration);
  return lint;
}
