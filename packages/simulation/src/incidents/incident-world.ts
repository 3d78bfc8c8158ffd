import {
  days,
  deployments,
  ec2NodeClasses,
  fromTimestamp,
  instant,
  type KubernetesObject,
  minutes,
  nodeClaims,
  nodePools,
  nodeRolloutPolicies,
  type NodeRolloutPolicySpec,
  pods,
  type ResourceType,
  services,
} from '@nodewright/apis';
import type { ImageRelease, NodeBehavior } from '@nodewright/aws-endpoints';
import type { FoundBroken } from '../worlds/simulated-world.ts';
import { createSimulatedWorld, type SimulatedWorld } from '../worlds/simulated-world.ts';
import { publishNextBuild, upgradeControlPlane } from '../worlds/perform-history-step.ts';
import {
  fleetClass,
  fleetDeployment,
  fleetNames,
  fleetOf,
  fleetPolicy,
  fleetPoolManifest,
  fleetService,
  listFleetPools,
  type FleetName,
} from './fleet-manifests.ts';
import { instanceIdOf, isReadyObservedPod, poolNameOf } from '../invariants/observed-objects.ts';
import { FleetTally } from './fleet-tally.ts';
import type { FleetOutcome, IncidentFleet } from './fleet.ts';
import {
  createFleetGroup,
  forbidEvictions,
  keepPolicyGroups,
  listFleetGroups,
  updateFreeGroups,
} from './group-fleet.ts';

export type IncidentQuestion = {
  /** Nodes of each fleet. */
  readonly nodes: number;
  readonly seed: string;
  /** The controller dies after every so many writes, from the beginning of the incident on. */
  readonly killEvery?: number;
};

/** Two fleets in one cluster: what happens to one happens to the other. */
export type IncidentWorld = {
  /** Of each fleet. */
  readonly nodes: number;
  readonly simulated: SimulatedWorld;
  pass(minutes: number): Promise<void>;
  /** Publishes a build above the newest one. */
  release(behavior: NodeBehavior, variant?: ImageRelease['variant']): readonly ImageRelease[];
  withdraw(builds: readonly ImageRelease[]): void;
  scale(replicas: number): Promise<void>;
  /** Merges something into the NodePools of both fleets. */
  patchPools(spec: object): Promise<void>;
  patchClasses(spec: object): Promise<void>;
  upgradeControlPlane(version: string): Promise<void>;
  /** Merges annotations into all NodeClaims while another version of the controller takes over. */
  takeOverWith(annotations: Readonly<Record<string, string>>): Promise<void>;
  /** Deletes a Ready pod of each fleet that runs on an image of the incident: applications come and go. */
  replacePods(): Promise<void>;
  /** Lets so many machines of each fleet that run an image of the incident behave otherwise. */
  misbehave(behavior: NodeBehavior, count: number): Promise<void>;
  /** People ask EKS to update the managed groups of the fleet without a policy. */
  updateGroups(): void;
  /** No pod may be evicted from now on. */
  forbidEvictions(): Promise<void>;
  /** Instances that were launched from an image of the incident so far. */
  readonly triedInstances: () => readonly string[];
  outcome(name: FleetName): FleetOutcome;
  /** What did not hold so far. */
  readonly broken: readonly FoundBroken[];
  deaths(): number;
  end(): Promise<void>;
};

const firstMinor = '1.31';
const upgradedMinor = '1.32';
const oldReleaseMs = days(40);

/** The newest release that came out more than a month ago and has no build for the next minor. */
function findOldRelease({ sandbox, time }: SimulatedWorld): string {
  const builds = (kubernetesVersion: string): readonly ImageRelease[] =>
    sandbox.aws.releases.list({ family: 'AL2023', variant: 'standard', arch: 'amd64', kubernetesVersion });
  const next = new Set(builds(upgradedMinor).map(({ version }) => version));
  const limit = time.clock.now() - oldReleaseMs;
  const found = builds(firstMinor).find(
    ({ version, publishedAt }) => fromTimestamp(publishedAt) <= limit && !next.has(version),
  );
  if (found === undefined) throw new Error(`no old release of ${firstMinor} is without a build for ${upgradedMinor}`);
  return found.version;
}

export async function createIncidentWorld(
  { fleet = {}, policy }: { readonly fleet?: IncidentFleet; readonly policy?: NodeRolloutPolicySpec },
  { nodes: asked, seed, killEvery }: IncidentQuestion,
): Promise<IncidentWorld> {
  const tally = new FleetTally();
  const nodes = fleet.nodes ?? asked;
  const simulated = await createSimulatedWorld({
    seed,
    kubernetesVersion: firstMinor,
    operators: 1,
    ...(fleet.service === true && { serviceEndpoints: true }),
    ...(fleet.managedGroups && { onFailure: fleet.managedGroups.onFailure }),
    onStep: (happening) => tally.see(happening),
  });
  const { time, sandbox, broken } = simulated;
  const { admin } = sandbox;
  const create = (type: ResourceType, object: KubernetesObject): Promise<unknown> =>
    time.finish(admin.create(type, object));
  const patchAll = async (type: ResourceType, names: readonly string[], patch: object): Promise<void> => {
    for (const name of names) await time.finish(admin.patch(type, { name }, { type: 'merge', patch }));
  };
  const poolsOfAll = fleet.managedGroups ? [] : fleetNames.flatMap((name) => listFleetPools(name, fleet));
  const share = (replicas: number): number => (replicas * fleetNames.length) / poolsOfAll.length;
  const patchDeployment = (name: string, replicas: number): Promise<unknown> =>
    time.finish(
      admin.patch(deployments, { name, namespace: 'default' }, { type: 'merge', patch: { spec: { replicas } } }),
    );
  const release = fleet.pinsOldRelease === true ? findOldRelease(simulated) : undefined;
  for (const name of fleetNames) {
    await create(ec2NodeClasses, fleetClass(name, fleet, release));
    if (fleet.service === true) await create(services, fleetService(name));
  }
  for (const pool of poolsOfAll) {
    await create(nodePools, fleetPoolManifest(pool, fleet, nodes));
    await create(deployments, fleetDeployment(pool, share(nodes), fleet));
  }
  const groups = fleetNames.flatMap((name) => listFleetGroups(name, fleet, nodes));
  for (const group of groups) {
    if (fleet.managedGroups) createFleetGroup(simulated, group, fleet.managedGroups);
    await create(deployments, fleetDeployment(group, group.size, fleet));
  }
  await keepPolicyGroups(simulated, groups);
  await create(nodeRolloutPolicies, fleetPolicy(policy));
  const family = fleet.family ?? 'al2023';
  const isUp = (): boolean => fleetNames.every((name) => tally.readyPods(name) === nodes);
  const tried = new Set<string>();
  if (!(await time.runUntil(isUp, { before: instant(time.clock.now() + minutes(60)) })))
    throw new Error(`the fleets of ${nodes} nodes did not come up`);
  await time.run(instant(time.clock.now() + minutes(2)));
  tally.begin();
  if (killEvery !== undefined) simulated.operators[0]?.killAgainAndAgain(killEvery);
  const triedInstances = (): readonly string[] =>
    sandbox.aws.ec2.instances.all().flatMap(({ id, settings }) => (tried.has(settings.imageId) ? [id] : []));
  return {
    nodes,
    simulated,
    pass: (count) => time.run(instant(time.clock.now() + minutes(count))),
    release: (behavior, variant) => {
      const builds = publishNextBuild(simulated, family, behavior, variant);
      for (const { imageId } of builds) tried.add(imageId);
      tally.addTried(...tried);
      return builds;
    },
    withdraw: (builds) => {
      for (const { imageId } of builds) sandbox.aws.releases.withdraw({ imageId }, time.clock.now());
    },
    scale: async (replicas) => {
      for (const { name } of poolsOfAll) await patchDeployment(name, share(replicas));
    },
    patchPools: (spec) =>
      patchAll(
        nodePools,
        poolsOfAll.map(({ name }) => name),
        { spec },
      ),
    patchClasses: (spec) => patchAll(ec2NodeClasses, fleetNames, { spec }),
    upgradeControlPlane: (version) => upgradeControlPlane(simulated, version),
    takeOverWith: async (annotations) => {
      simulated.operators[0]?.replace();
      const { items } = await time.finish(admin.list(nodeClaims));
      await patchAll(
        nodeClaims,
        items.map(({ metadata }) => metadata.name),
        { metadata: { annotations } },
      );
    },
    replacePods: async () => {
      const hosts = new Set(triedInstances());
      const { items } = await time.finish(admin.list(pods, { namespace: 'default' }));
      const claims = (await time.finish(admin.list(nodeClaims))).items;
      const nodeNames = new Set(
        claims.flatMap(({ status }) => (hosts.has(instanceIdOf(status?.providerID)) ? [status?.nodeName ?? ''] : [])),
      );
      for (const fleetName of fleetNames) {
        const pod = items.find(
          (each) =>
            each.metadata.labels?.['app'] === fleetName &&
            nodeNames.has(each.spec.nodeName ?? '') &&
            isReadyObservedPod(each),
        );
        if (pod !== undefined)
          await time.finish(
            admin.delete(pods, { name: pod.metadata.name, namespace: 'default' }, { gracePeriodSeconds: 0 }),
          );
      }
    },
    misbehave: async (behavior, count) => {
      const claims = (await time.finish(admin.list(nodeClaims))).items;
      for (const name of fleetNames) {
        const own = claims.filter((claim) => fleetOf(poolNameOf(claim)) === name);
        const instances = own.map(({ status }) => instanceIdOf(status?.providerID));
        for (const instanceId of triedInstances()
          .filter((id) => instances.includes(id))
          .slice(0, count))
          sandbox.aws.faults.add({ kind: 'node-behavior', behavior, instanceId });
      }
    },
    updateGroups: () => updateFreeGroups(simulated, groups),
    forbidEvictions: () => forbidEvictions(simulated),
    triedInstances,
    outcome: (name) => tally.outcome(name),
    broken,
    deaths: () => simulated.operators.reduce((sum, { lives }) => sum + lives - 1, 0),
    end: () => simulated.stop(),
  };
}
