import { stringify } from 'yaml';
import { scenarioVersion } from '../reading/read-scenarios.ts';
import { endTrouble, type WrittenStep } from './draw-events.ts';
import type { FuzzSubject } from './fuzz-subject.ts';

/** What a history has to end with: pods that work or have work behind them. Pods of a dead node are left to it. */
const recovered = 'pods.all(p, p.ready || p.deleting || p.phase == "Succeeded")';

/** A history as a scenario file. */
export function writeHistory(subject: FuzzSubject, events: readonly WrittenStep[], name: string): string {
  const steps = [
    { waitUntil: 'nodes.all(n, n.ready) && pods.all(p, p.ready)', within: '30m' },
    ...events,
    ...endTrouble(events, subject),
    { waitUntil: recovered, within: '6h', because: 'the cluster recovers when all trouble is over' },
  ];
  return stringify(
    { apiVersion: scenarioVersion, kind: 'Scenario', metadata: { name }, spec: { ...subject.spec, steps } },
    { lineWidth: 120, aliasDuplicateObjects: false },
  );
}
