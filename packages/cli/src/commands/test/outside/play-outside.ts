import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { realTime, type ScaledTime, scaledTime } from '@nodewright/runtime';
import {
  type HostedCluster,
  paceTime,
  type ScenarioController,
  type ScenarioResult,
  type WorldHost,
} from '@nodewright/scenario-files';
import { createCredentials, type ClientCredentials, writeControlToken } from '../../../world/client-credentials.ts';
import { type OpenEndpoints, openEndpoints } from '../../../world/endpoints.ts';
import { type Exported, exportedBy, exportLines } from '../../../world/exports.ts';
import type { ScenarioPlay } from '../find-plays.ts';
import { playOne } from '../play-one.ts';
import { ConnectedController } from './connected-controller.ts';
import { exportGates, type OutsideController } from './outside-controller.ts';
import { personsController, spawnCommand, spawnOwnController, StartedController } from './controller-command.ts';

/** In which a process on this computer hears of a change, in milliseconds of this computer. */
const untilHeardMs = 20;

type PlayedPlace = {
  readonly controller: OutsideController;
  readonly folder: string;
  readonly endpoints: OpenEndpoints;
  readonly credentials: ClientCredentials;
};

/** Plays a scenario once, on an embedded EKS behind ports. */
export async function playOutside(
  play: ScenarioPlay,
  standardInput: string,
  controller: OutsideController,
): Promise<ScenarioResult> {
  const folder = mkdtempSync(join(tmpdir(), 'nodewright-test-'));
  const endpoints = await openEndpoints();
  try {
    const credentials = createCredentials(folder);
    writeControlToken(credentials);
    return await playOne(play, standardInput, {
      host: createHost({ controller, folder, endpoints, credentials }),
    });
  } finally {
    await endpoints.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function createHost(place: PlayedPlace): WorldHost {
  const { controller, endpoints, credentials } = place;
  const real = realTime().clock;
  const isOwn = controller.kind === 'own';
  let time: ScaledTime | undefined;
  return {
    ...(!isOwn && { start: real.now() }),
    sandbox: {
      way: 'wire',
      endpoints: endpoints.endpoints,
      accessKey: credentials.accessKey,
      signersClock: real,
      readersClock: real,
    },
    createTime(start) {
      time = scaledTime({ start, speed: isOwn ? 1 : controller.speed });
      return paceTime(
        time,
        isOwn ? { kind: 'asFastAsPossible', untilHeard: () => real.sleep(untilHeardMs) } : { kind: 'steadily' },
      );
    },
    createController(cluster) {
      if (time === undefined) throw new Error('a cluster has its time before its controller');
      return connectController(place, cluster, time);
    },
  };
}

function connectController(place: PlayedPlace, cluster: HostedCluster, time: ScaledTime): ScenarioController {
  const { controller, endpoints, credentials } = place;
  const { sandbox } = cluster;
  const connected = new ConnectedController();
  endpoints.serve({
    world: { sandbox },
    control: { time, credentials },
    onKubernetesRequest: (request) => connected.see(request),
  });
  const exported = exportsOfPlay(place, cluster);
  if (controller.kind === 'own')
    return new StartedController({ time, connected, followsClock: true, spawn: () => spawnOwnController(exported) });
  const { command, speed } = controller;
  tellSpeed(speed);
  if (command !== undefined)
    return new StartedController({
      time,
      connected,
      followsClock: false,
      spawn: () => spawnCommand(command, exported),
    });
  process.stderr.write(
    `${exportLines(exported)}The steps begin when a controller with this environment watches NodeClaims.\n`,
  );
  return personsController(connected);
}

/** What a controller needs: the addresses and keys, and settings that Karpenter reads from its environment. */
function exportsOfPlay({ controller, folder, endpoints, credentials }: PlayedPlace, cluster: HostedCluster): Exported {
  const { clusterName, region, featureGates } = cluster;
  const kubeconfig = join(folder, 'kubeconfig');
  writeFileSync(kubeconfig, endpoints.kubeconfig(clusterName), { mode: 0o600 });
  const { aws, control } = endpoints.urls;
  return {
    ...exportedBy({ clusterName, region, aws, control, credentials, kubeconfig }),
    AWS_EC2_METADATA_DISABLED: 'true',
    INTERRUPTION_QUEUE: clusterName,
    SYSTEM_NAMESPACE: 'kube-system',
    DISABLE_LEADER_ELECTION: 'true',
    METRICS_PORT: '0',
    HEALTH_PROBE_PORT: '0',
    ...exportGates(controller, featureGates),
  };
}

function tellSpeed(speed: number): void {
  const consequence =
    speed === 1
      ? 'a step of an hour takes an hour.'
      : 'a controller with a clock of its own takes objects for younger or older than they are.';
  process.stderr.write(
    `The clock of the cluster begins now and runs at ${speed} times the speed of yours: ${consequence}\n`,
  );
}
