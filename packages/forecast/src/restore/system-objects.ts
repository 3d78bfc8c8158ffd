import { instant } from '@nodewright/apis';
import { historyOf } from '@nodewright/aws-endpoints';
import { seededRandom, virtualTime } from '@nodewright/runtime';
import { createSandbox } from '@nodewright/sandbox';
import { resourceNameOf, snapshotKinds } from '../snapshot/kinds.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { filledLedger } from './filled-ledger.ts';

/** Objects of an embedded cluster by the names of their maps. */
type ObjectMaps = ReadonlyMap<string, ReadonlyMap<string, unknown>>;

/**
 * Definitions, roles and settings that an API server makes for itself and a snapshot has not. A restored world has them from
 * the beginning: making them would draw from its chances, and it would go on otherwise than the cluster does.
 */
export async function makeSystemObjects({ clusterName, kubernetesVersion, aws }: Snapshot): Promise<ObjectMaps> {
  const time = virtualTime(instant(0));
  const ledger = filledLedger(new Map());
  const sandbox = await createSandbox({
    clock: time.clock,
    gate: time.gate,
    random: seededRandom('system objects'),
    clusterName,
    kubernetesVersion,
    region: aws.region,
    zones: [`${aws.region}a`],
    releases: historyOf([]),
    ledger,
    way: 'direct',
    clusterServices: true,
  });
  await time.finish(sandbox.start());
  await time.settle();
  const inSnapshots = new Set(snapshotKinds.map((type) => `kubernetes/${resourceNameOf(type)}`));
  const made = ledger.names().filter((name) => /^kubernetes\/(?!events$)/.test(name) && !inSnapshots.has(name));
  const maps = new Map(made.map((name) => [name, new Map(ledger.map(name))] as const));
  sandbox.stop();
  return maps;
}
