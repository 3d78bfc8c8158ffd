import { createHash } from 'node:crypto';
import { type Instant, type KubernetesObject, minutes } from '@nodewright/apis';
import { builtInReleases } from '@nodewright/aws-endpoints';
import type { ObjectWrite } from '@nodewright/kube-api';
import { type Clock, type Random, seededRandom, type VirtualTime, virtualTime } from '@nodewright/runtime';
import { createSandbox, type Sandbox } from '@nodewright/sandbox';
import { simulationStart } from '../histories/history.ts';
import type { Happening } from '../invariants/invariant.ts';
import { type BrokenInvariant, findBroken } from '../invariants/invariants.ts';
import { type ObservedCloud, WorldObserver } from '../invariants/world-observer.ts';
import type { ObservedInstance } from '../invariants/observed-world.ts';
import { type AwsCallOfOperator, type OperatorFlaw, OperatorProcess } from './operator-process.ts';

export const simulatedCluster = {
  name: 'simulated',
  region: 'us-east-1',
  zones: ['us-east-1a', 'us-east-1b', 'us-east-1c'],
};

export type SimulatedWorldOptions = {
  readonly seed: string;
  readonly kubernetesVersion: string;
  readonly operators: number;
  readonly isTold?: boolean;
  readonly log?: (line: string) => void;
  readonly flaw?: OperatorFlaw;
  /** Whether EndpointSlices follow Services and their pods [no]. */
  readonly serviceEndpoints?: boolean;
  /** What EKS does with new nodes when the update of a managed group fails [leave]. */
  readonly onFailure?: 'leave' | 'revert';
  /** Is told of everything that happens, after the invariants were checked. */
  readonly onStep?: (happening: Happening) => void;
};

export type FoundBroken = BrokenInvariant & { /** Virtual minutes since the start. */ readonly minute: number };

/** An embedded EKS on virtual time with processes of the controller in it, under observation. */
export type SimulatedWorld = {
  readonly time: VirtualTime;
  readonly sandbox: Sandbox;
  readonly random: Random;
  readonly operators: readonly OperatorProcess[];
  readonly observer: WorldObserver;
  /** What did not hold so far, in order. */
  readonly broken: readonly FoundBroken[];
  /** Judges what the world itself does not tell. */
  tell(happening: Happening): void;
  /** Instances whose end the cloud has announced, or that it calls broken. */
  readonly reclaimed: Map<string, Reclaim>;
  /** A digest of everything that was written. */
  digest(): string;
  stop(): Promise<void>;
};

export async function createSimulatedWorld(options: SimulatedWorldOptions): Promise<SimulatedWorld> {
  const random = seededRandom(`world ${options.seed}`);
  const time = virtualTime(simulationStart);
  const { clock, gate } = time;
  const hash = createHash('sha256');
  const broken: FoundBroken[] = [];
  const reclaimed = new Map<string, Reclaim>();
  const operatorNames = new Set(Array.from({ length: options.operators }, (_, nth) => `karpenter-${nth + 1}`));
  const observer = new WorldObserver(
    clock,
    observedCloud(() => sandbox.aws, reclaimed, clock),
  );
  const tell = (happening: Happening): void => {
    const minute = Math.round((clock.now() - simulationStart) / 600) / 100;
    for (const found of findBroken({ world: observer, happening })) broken.push({ ...found, minute });
    options.onStep?.(happening);
  };
  const onWrite = ({ type, collection, object, client }: ObjectWrite): void => {
    hash.update(
      `${clock.now()} ${client} ${type} ${collection} ${object.metadata.name} ${object.metadata.resourceVersion}\n`,
    );
    const written = object as unknown as KubernetesObject;
    const operator = operatorNames.has(client) ? client : undefined;
    const happening = observer.seeWrite({ type, collection, object: written, operator });
    if (happening !== undefined) tell(happening);
  };
  const sandbox = await createSandbox({
    clock,
    gate,
    random: random.fork('sandbox'),
    clusterName: simulatedCluster.name,
    kubernetesVersion: options.kubernetesVersion,
    region: simulatedCluster.region,
    zones: simulatedCluster.zones,
    releases: builtInReleases(),
    way: 'direct',
    ...(options.onFailure === undefined ? {} : { onFailure: options.onFailure }),
    ...(options.serviceEndpoints === undefined ? {} : { serviceEndpoints: options.serviceEndpoints }),
    onWrite,
  });
  await time.finish(sandbox.start());
  const onAwsAnswer = (call: AwsCallOfOperator): void => {
    for (const happening of happeningsOfCall(call, { sandbox, observer })) tell(happening);
  };
  const operators = [...operatorNames].map(
    (name) =>
      new OperatorProcess({
        sandbox,
        clock,
        gate,
        random: random.fork(name),
        region: simulatedCluster.region,
        clusterName: simulatedCluster.name,
        name,
        onAwsAnswer,
        ...(options.isTold && { isTold: true }),
        ...(options.log && { log: options.log }),
        ...(options.flaw && { flaw: options.flaw }),
      }),
  );
  return {
    time,
    sandbox,
    random,
    operators,
    observer,
    broken,
    tell,
    reclaimed,
    digest: () => hash.copy().digest('hex').slice(0, 16),
    stop: async () => {
      await time.finish(Promise.all(operators.map((operator) => operator.stop())));
      sandbox.stop();
    },
  };
}

/** When the cloud said so, and whether it ends the instance itself. */
export type Reclaim = { readonly at: Instant; readonly takesBack: boolean };

/** A spot instance is taken back two minutes after the notice. */
const spotNoticeMs = minutes(2);

const claimTag = 'karpenter.sh/nodeclaim';

function observedCloud(
  aws: () => Sandbox['aws'],
  reclaimed: ReadonlyMap<string, Reclaim>,
  clock: Pick<Clock, 'now'>,
): ObservedCloud {
  const observedInstance = (id: string): ObservedInstance | undefined => {
    const found = aws().ec2.instances.get(id);
    return found && { id, state: found.state, claim: found.settings.instanceTags[claimTag] };
  };
  return {
    instances: () =>
      aws()
        .ec2.instances.all()
        .flatMap(({ id }) => observedInstance(id) ?? []),
    instance: observedInstance,
    get kubernetesVersion() {
      return aws().eks.controlPlane.version;
    },
    image: (id) => {
      const release = aws().releases.byImage(id);
      const { withdrawnAt, recalledAt } = release ?? {};
      return release && { ...release, isGone: withdrawnAt !== undefined || recalledAt !== undefined };
    },
    isReclaimed: (id) => reclaimed.has(id),
    isTakenBack: (id) => {
      const reclaim = reclaimed.get(id);
      return reclaim?.takesBack === true && clock.now() - reclaim.at >= spotNoticeMs;
    },
  };
}

type CallWitnesses = { readonly sandbox: Sandbox; readonly observer: WorldObserver };
type FleetAnswer = { readonly Instances?: readonly { readonly InstanceIds?: readonly string[] }[] };

function happeningsOfCall(
  { operation, input, output }: AwsCallOfOperator,
  witnesses: CallWitnesses,
): readonly Happening[] {
  if (operation === 'TerminateInstances') {
    const { InstanceIds = [] } = input as { readonly InstanceIds?: readonly string[] };
    return InstanceIds.map((instanceId) => ({ kind: 'ended', instanceId }));
  }
  if (operation !== 'CreateFleet') return [];
  const { instances } = witnesses.sandbox.aws.ec2;
  const ids = ((output as FleetAnswer).Instances ?? []).flatMap(({ InstanceIds = [] }) => InstanceIds);
  return ids.flatMap((id) => {
    const launched = instances.get(id);
    const claim = launched?.settings.instanceTags[claimTag];
    if (launched === undefined || claim === undefined) return [];
    return witnesses.observer.seeLaunch(claim, [{ id, imageId: launched.settings.imageId }]);
  });
}
