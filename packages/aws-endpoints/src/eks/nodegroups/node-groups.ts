import type { RequestLaunchTemplateData } from '@aws-sdk/client-ec2';
import { byTextOf, instant } from '@nodewright/apis';
import type { Clock, Random, Ledger } from '@nodewright/runtime';
import type { ReleaseStore } from '../../releases/release-store.ts';
import { arnOf, iamArnOf, type AwsAccount } from '../../account.ts';
import type { AutoScaling } from '../../autoscaling/auto-scaling.ts';
import type { AutoScalingGroupRecord } from '../../autoscaling/group/group.ts';
import type { LaunchTemplateVersion } from '../../ec2/launch-templates.ts';
import type { Ec2 } from '../../ec2/model.ts';
import type { Faults } from '../../faults/faults.ts';
import type { EksClusterAccess } from '../cluster-access.ts';
import type { Iam } from '../../iam/model.ts';
import { AwsError } from '../../codec/aws-error.ts';
import { noSuchNodegroup, noSuchUpdate } from '../errors.ts';
import {
  type GroupUpdate,
  type EksNodeGroup,
  type NodegroupResources,
  type Software,
  softwareConfiguration,
  settledGroup,
} from './node-group.ts';
import { templateData } from './template-data.ts';
import type { ClusterFacts } from './user-data.ts';
import { listOwnHooks } from './own-hooks.ts';

export type NodeGroupsDeps = {
  readonly clock: Clock;
  readonly random: Random;
  readonly account: AwsAccount;
  readonly ec2: Ec2;
  readonly iam: Iam;
  readonly autoScaling: AutoScaling;
  readonly releases: ReleaseStore;
  readonly ledger: Ledger;
  readonly faults: Faults;
  /** Whether EKS can do its work in the cluster. */
  readonly access: () => EksClusterAccess;
  /** Asked when a template is made. */
  readonly cluster: () => ClusterFacts;
};

/** How long the version of a control plane and its settings take to be made into machines. */
const provisionsAfterMs = 5000;

/** The managed node groups of the cluster, and their updates. What moves them along is the node manager. */
export class NodeGroups {
  readonly deps: NodeGroupsDeps;
  readonly #groups: Map<string, EksNodeGroup>;
  /** By id, oldest first. */
  readonly #updates: Map<string, GroupUpdate>;
  readonly #listeners: ((name: string) => void)[] = [];

  constructor(deps: NodeGroupsDeps) {
    this.deps = deps;
    this.#groups = deps.ledger.map('eks/node-groups');
    this.#updates = deps.ledger.map('eks/node-group-updates');
    deps.autoScaling.onChange((scaling) => {
      const owner = this.all().find(({ resources }) => resources?.groupName === scaling);
      if (owner !== undefined) this.#tell(owner.name);
    });
  }

  /** Goes on with what was under way before a restart, which may have come between two writes that belong together. */
  resume(): void {
    for (const group of this.all()) {
      if (group.status === 'CREATING' && group.resources === undefined) this.#provisionLater(group);
      this.#reconcileStatus(group);
      this.#tell(group.name);
    }
  }

  /** A group with an update under way is updating, and one without is not. */
  #reconcileStatus(group: EksNodeGroup): void {
    const last = this.updatesOf(group.name).at(-1);
    if (last === undefined) return;
    const isUnderWay = last.status === 'InProgress';
    if (isUnderWay && group.status === 'ACTIVE') this.keep({ ...group, status: 'UPDATING' });
    if (!isUnderWay && group.status === 'UPDATING') this.keep(settledGroup(group, last, this.deps.clock.now()));
  }

  /** By name. */
  all(): readonly EksNodeGroup[] {
    return [...this.#groups.values()].toSorted(byTextOf(({ name }) => name));
  }

  find(name: string): EksNodeGroup | undefined {
    return this.#groups.get(name);
  }

  /** @throws AwsError `ResourceNotFoundException` */
  group(name: string): EksNodeGroup {
    const group = this.#groups.get(name);
    if (group === undefined) throw noSuchNodegroup(this.deps.cluster().name, name);
    return group;
  }

  /** Told the name of every group that changed, or whose Auto Scaling group did. */
  onChange(listener: (name: string) => void): void {
    this.#listeners.push(listener);
    for (const { name } of this.all()) listener(name);
  }

  /** A group that is being created: its machines come later. */
  create(
    settings: Omit<EksNodeGroup, 'arn' | 'uuid' | 'createdAt' | 'modifiedAt' | 'status' | 'draining'>,
  ): EksNodeGroup {
    const { clock, random, account } = this.deps;
    const uuid = random.uuid();
    const now = clock.now();
    const path = `nodegroup/${this.deps.cluster().name}/${settings.name}/${uuid}`;
    const times = { createdAt: now, modifiedAt: now };
    const group = {
      ...settings,
      uuid,
      arn: arnOf(account, 'eks', path),
      ...times,
      status: 'CREATING' as const,
      draining: {},
    };
    this.#provisionLater(group);
    return this.keep(group);
  }

  keep(group: EksNodeGroup): EksNodeGroup {
    this.#groups.set(group.name, group);
    this.#tell(group.name);
    return group;
  }

  remove(name: string): void {
    const { resources } = this.group(name);
    this.#groups.delete(name);
    if (resources !== undefined && this.#hasTemplate(resources)) {
      this.deps.ec2.templates.remove({ LaunchTemplateId: resources.templateId });
    }
    if (resources !== undefined) this.#removeProfile(resources.templateName);
    this.#tell(name);
  }

  /** Of one group, oldest first. */
  updatesOf(group: string): readonly GroupUpdate[] {
    return [...this.#updates.values()].filter((update) => update.group === group);
  }

  /** @throws AwsError `ResourceNotFoundException` */
  update(group: string, id: string): GroupUpdate {
    const found = this.updatesOf(group).find((update) => update.id === id);
    if (found === undefined) throw noSuchUpdate(this.deps.cluster().name, id);
    return found;
  }

  running(group: string): GroupUpdate | undefined {
    return this.updatesOf(group).find(({ status }) => status === 'InProgress');
  }

  /** The group is updating from now, in the same call. */
  begin(group: EksNodeGroup, update: Pick<GroupUpdate, 'type' | 'params'> & Partial<GroupUpdate>): GroupUpdate {
    const { clock, random } = this.deps;
    const begun: GroupUpdate = {
      id: random.uuid(),
      group: group.name,
      status: 'InProgress',
      errors: [],
      createdAt: clock.now(),
      ...update,
    };
    this.#updates.set(begun.id, begun);
    this.keep({ ...group, status: 'UPDATING', modifiedAt: clock.now() });
    return begun;
  }

  /** Does not notify listeners, because the node manager keeps its own progress here. */
  keepUpdate(update: GroupUpdate): void {
    this.#updates.set(update.id, update);
  }

  /**
   * The same call again, by its token, answers with the same update.
   * @param work begins the update, and keeps with it what asked for it
   * @throws AwsError when the token came with another request before
   */
  once(
    token: string | undefined,
    request: object,
    work: (about: Pick<GroupUpdate, 'asked'>) => GroupUpdate,
  ): GroupUpdate {
    if (token === undefined) return work({});
    const body = JSON.stringify(request);
    const known = [...this.#updates.values()].find(({ asked }) => asked?.token === token);
    if (known === undefined) return work({ asked: { token, body } });
    if (known.asked?.body === body) return known;
    throw new AwsError('InvalidParameterException', `clientRequestToken ${token} was used for another request before.`);
  }

  /** A version of EKS's own template that launches the software. */
  addTemplateVersion(name: string, software: Software): void {
    const group = this.group(name);
    if (group.resources === undefined) return;
    const { resources } = group;
    const data = templateData({ group, software, profile: resources.templateName }, this.deps.cluster(), this.deps.ec2);
    const { number } = this.#unclaimedVersion(resources, data) ?? this.#newVersion(resources, data);
    const configurations = { ...resources.configurations, [String(number)]: softwareConfiguration(software) };
    this.keep({ ...group, resources: { ...resources, configurations } });
  }

  /** From now the Auto Scaling group launches from the version. */
  pointAt(name: string, version: string): void {
    const group = this.group(name);
    if (group.resources === undefined) return;
    const scaling = this.deps.autoScaling.group(group.resources.groupName);
    this.keep({ ...group, resources: { ...group.resources, pointer: version } });
    const { autoScaling, ec2 } = this.deps;
    const { data } = ec2.templates.version({ LaunchTemplateId: scaling.template.id, Version: version });
    autoScaling.change(scaling.name, {
      template: { ...scaling.template, version },
      instanceTypes: listAutoScalingTypes(group, data.InstanceType),
    });
  }

  #removeProfile(name: string): void {
    const { iam } = this.deps;
    const profile = iam.findProfile(name);
    if (profile?.roleName !== undefined) iam.removeRole(name, profile.roleName);
    if (profile !== undefined) iam.deleteProfile(name);
  }

  #newVersion({ templateId }: NodegroupResources, data: RequestLaunchTemplateData): LaunchTemplateVersion {
    return this.deps.ec2.templates.addVersion({ LaunchTemplateId: templateId }, { data });
  }

  /** One that was made just before a restart. */
  #unclaimedVersion(
    { templateId, configurations }: NodegroupResources,
    data: RequestLaunchTemplateData,
  ): LaunchTemplateVersion | undefined {
    const last = this.deps.ec2.templates.find({ LaunchTemplateId: templateId }).versions.at(-1);
    const isOurs = last !== undefined && configurations[last.number] === undefined;
    return isOurs && JSON.stringify(last.data) === JSON.stringify(data) ? last : undefined;
  }

  #hasTemplate({ templateId }: NodegroupResources): boolean {
    return this.deps.ec2.templates.all().some(({ id }) => id === templateId);
  }

  #provisionLater({ name, createdAt }: EksNodeGroup): void {
    this.deps.clock.at(instant(createdAt + provisionsAfterMs), () => this.#provision(name));
  }

  #provision(name: string): void {
    const group = this.find(name);
    if (group === undefined || group.status !== 'CREATING' || group.resources !== undefined) return;
    const { ec2, iam, autoScaling, cluster } = this.deps;
    const templateName = `eks-${group.uuid}`;
    const profile = iam.findProfile(templateName) ?? iam.createProfile({ name: templateName, path: '/', tags: {} });
    if (profile.roleName === undefined) iam.addRole(templateName, group.nodeRole.split('/').at(-1) ?? '');
    const data = templateData({ group, software: group, profile: templateName }, cluster(), ec2);
    const template =
      ec2.templates.all().find((each) => each.name === templateName) ??
      ec2.templates.create(
        { name: templateName, data },
        { 'eks:cluster-name': cluster().name, 'eks:nodegroup-name': name },
      );
    const groupName = `eks-${name}-${group.uuid}`;
    const resources = {
      groupName,
      templateId: template.id,
      templateName,
      configurations: { '1': softwareConfiguration(group) },
      pointer: '1',
    };
    if (autoScaling.find(groupName) === undefined) {
      const around = { groupName, template, cluster: cluster().name, ec2, account: this.deps.account };
      autoScaling.create(scalingGroup(group, around));
    }
    this.keep({ ...group, resources });
  }

  #tell(name: string): void {
    for (const listener of this.#listeners) listener(name);
  }
}

/** Those of the group, or the one that its template names. */
const listAutoScalingTypes = ({ instanceTypes }: EksNodeGroup, templates: string | undefined): readonly string[] =>
  instanceTypes ?? (templates === undefined ? [] : [templates]);

type GroupSurroundings = {
  readonly groupName: string;
  readonly template: { readonly id: string; readonly name: string };
  readonly cluster: string;
  readonly ec2: Ec2;
  readonly account: AwsAccount;
};

/** The Auto Scaling group behind a managed one, as EKS sets it up. */
function scalingGroup(group: EksNodeGroup, { groupName, template, cluster, ec2, account }: GroupSurroundings) {
  const places = ec2.network.subnets.filter(({ id }) => group.subnetIds.includes(id));
  const templatesType = ec2.templates.version({ LaunchTemplateId: template.id }).data.InstanceType;
  const tag = (key: string, value: string) => ({ key, value, atLaunch: true });
  return {
    name: groupName,
    ...group.scaling,
    ...warmPoolPart(group),
    template: { id: template.id, name: template.name, version: '1' },
    instanceTypes: listAutoScalingTypes(group, templatesType),
    mixed: true,
    capacityType: group.capacityType === 'SPOT' ? ('spot' as const) : ('on-demand' as const),
    allocation: group.capacityType === 'SPOT' ? spotAllocation(group.version) : 'lowest-price',
    capacityRebalance: group.capacityType === 'SPOT',
    subnetIds: group.subnetIds,
    zones: [...new Set(places.map(({ zone }) => zone))].toSorted(),
    tags: [
      tag('eks:cluster-name', cluster),
      tag('eks:nodegroup-name', group.name),
      tag(`k8s.io/cluster-autoscaler/${cluster}`, 'owned'),
      tag('k8s.io/cluster-autoscaler/enabled', 'true'),
      tag(`kubernetes.io/cluster/${cluster}`, 'owned'),
    ],
    hooks: listOwnHooks(account),
    terminationPolicies: ['AllocationStrategy', 'OldestLaunchTemplate', 'OldestInstance'],
    healthCheckGraceSeconds: 15,
    cooldownSeconds: 300,
    protectNew: false,
    serviceRole: iamArnOf(account, 'role/aws-service-role/autoscaling.amazonaws.com/AWSServiceRoleForAutoScaling'),
  };
}

/** The pool that a group asks for, or that it asks for none. */
export function warmPoolPart({
  warmPoolConfig: asked,
}: Pick<EksNodeGroup, 'warmPoolConfig'>): Pick<AutoScalingGroupRecord, 'warmPool'> {
  if (asked?.enabled !== true) return { warmPool: undefined };
  const state = { STOPPED: 'Stopped', RUNNING: 'Running', HIBERNATED: 'Hibernated' } as const;
  const {
    minSize: min = 0,
    maxGroupPreparedCapacity: prepared,
    poolState = 'STOPPED',
    reuseOnScaleIn: reuse = false,
  } = asked;
  return { warmPool: { min, state: state[poolState], reuse, ...(prepared !== undefined && { prepared }) } };
}

const spotAllocation = (version: string): string =>
  Number(version.split('.')[1]) >= 28 ? 'price-capacity-optimized' : 'capacity-optimized';
