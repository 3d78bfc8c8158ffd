import { createHash } from 'node:crypto';
import {
  AddRoleToInstanceProfileCommand,
  CreateInstanceProfileCommand,
  DeleteInstanceProfileCommand,
  GetInstanceProfileCommand,
  type InstanceProfile,
  ListInstanceProfilesCommand,
  RemoveRoleFromInstanceProfileCommand,
} from '@aws-sdk/client-iam';
import { type EC2NodeClass, hours, kubernetesLabels, minutes } from '@nodewright/apis';
import { CloudError, type LookupPace } from '@nodewright/ports';
import { isAwsNotFound } from '../calls/error-codes.ts';
import { forEachThenFail } from '../calls/for-each-then-fail.ts';
import { ExpiringCache } from '../caching/expiring-cache.ts';
import type { AwsContext } from '../context.ts';
import { nodeClassTags, toAwsTagList } from '../tags.ts';

const steadyProfileMs = minutes(15);
const restingProfileMs = hours(2);

/** Makes and keeps the instance profile of a NodeClass that names a role. */
export class InstanceProfiles {
  readonly #context: AwsContext;
  readonly #ensured: ExpiringCache<string>;

  constructor(context: AwsContext) {
    this.#context = context;
    this.#ensured = new ExpiringCache(context.clock, restingProfileMs, context.freshness);
  }

  /** Its name. No call is made for `spec.instanceProfile`. */
  async ensure(nodeClass: EC2NodeClass, signal: AbortSignal, pace: LookupPace = 'close'): Promise<string> {
    const { instanceProfile, role } = nodeClass.spec;
    if (instanceProfile !== undefined) return instanceProfile;
    if (role === undefined)
      throw new Error(`EC2NodeClass ${nodeClass.metadata.name} has neither role nor instanceProfile`);
    const name = this.#nameFor(nodeClass, role);
    const ensured = async (): Promise<string> => {
      const profile = (await this.#get(name, signal)) ?? (await this.#create(name, nodeClass, signal));
      await this.#attach(profile, lastSegment(role), signal);
      return name;
    };
    return this.#ensured.remember(name, ensured, pace === 'close' ? steadyProfileMs : restingProfileMs);
  }

  /** After EC2 did not know the profile: what was believed of it is forgotten. */
  async ensureAnew(nodeClass: EC2NodeClass, signal: AbortSignal): Promise<void> {
    const { role } = nodeClass.spec;
    if (role !== undefined) this.#ensured.forget(this.#nameFor(nodeClass, role));
    await this.ensure(nodeClass, signal);
  }

  /** Deletes every profile that was made for the NodeClass. */
  async cleanUp(nodeClass: EC2NodeClass, signal: AbortSignal): Promise<void> {
    const { call, clients } = this.#context;
    const { InstanceProfiles: profiles = [] } = await call(
      (options) => clients.iam.send(new ListInstanceProfilesCommand({ PathPrefix: this.#pathFor(nodeClass) }), options),
      signal,
    );
    await forEachThenFail(profiles, (profile) => this.#delete(profile, signal));
  }

  #nameFor(nodeClass: EC2NodeClass, role: string): string {
    return nameInstanceProfile(nodeClass, { ...this.#context, role });
  }

  #pathFor({ metadata }: EC2NodeClass): string {
    const { clusterName, region } = this.#context;
    return `/karpenter/${region}/${clusterName}/${metadata.uid}/`;
  }

  async #get(name: string, signal: AbortSignal): Promise<InstanceProfile | undefined> {
    const { call, clients } = this.#context;
    try {
      const answer = await call(
        (options) => clients.iam.send(new GetInstanceProfileCommand({ InstanceProfileName: name }), options),
        signal,
      );
      return answer.InstanceProfile;
    } catch (error) {
      if (isAwsNotFound(error)) return undefined;
      throw error;
    }
  }

  async #create(name: string, nodeClass: EC2NodeClass, signal: AbortSignal): Promise<InstanceProfile> {
    const { call, clients, clusterName, region } = this.#context;
    const tags = { ...nodeClassTags(nodeClass, clusterName), [kubernetesLabels.region]: region };
    const command = new CreateInstanceProfileCommand({
      InstanceProfileName: name,
      Path: this.#pathFor(nodeClass),
      Tags: toAwsTagList(tags),
    });
    const { InstanceProfile: profile } = await call((options) => clients.iam.send(command, options), signal);
    if (profile === undefined) throw new Error(`IAM created instance profile ${name} and answered nothing`);
    return profile;
  }

  async #attach(profile: InstanceProfile, role: string, signal: AbortSignal): Promise<void> {
    const { call, clients } = this.#context;
    const InstanceProfileName = profile.InstanceProfileName ?? '';
    const attached = profile.Roles?.map(({ RoleName = '' }) => RoleName) ?? [];
    if (attached.includes(role)) return;
    await this.#detach(InstanceProfileName, attached, signal);
    const command = new AddRoleToInstanceProfileCommand({ InstanceProfileName, RoleName: role });
    await call((options) => clients.iam.send(command, options), signal).catch((failure: unknown) => {
      throw isAwsNotFound(failure) ? createMissingRoleError(role, failure) : failure;
    });
  }

  async #detach(InstanceProfileName: string, roles: readonly string[], signal: AbortSignal): Promise<void> {
    const { call, clients } = this.#context;
    for (const RoleName of roles) {
      const command = new RemoveRoleFromInstanceProfileCommand({ InstanceProfileName, RoleName });
      await call((options) => clients.iam.send(command, options), signal).catch(ignoreNotFound);
    }
  }

  async #delete({ InstanceProfileName = '', Roles = [] }: InstanceProfile, signal: AbortSignal): Promise<void> {
    const { call, clients } = this.#context;
    await this.#detach(
      InstanceProfileName,
      Roles.map(({ RoleName = '' }) => RoleName),
      signal,
    );
    const command = new DeleteInstanceProfileCommand({ InstanceProfileName });
    await call((options) => clients.iam.send(command, options), signal).catch(ignoreNotFound);
    this.#ensured.forget(InstanceProfileName);
  }
}

/** What is to be removed and is not there is removed. */
function ignoreNotFound(error: unknown): void {
  if (!isAwsNotFound(error)) throw error;
}

const lastSegment = (role: string): string => role.slice(role.lastIndexOf('/') + 1);

/** It may be created later, so it is worth another try. */
const createMissingRoleError = (role: string, cause: unknown): CloudError =>
  new CloudError(`the account has no role ${role}; create it for EC2 to assume, or name another one in spec.role`, {
    code: 'NoSuchEntity',
    retry: 'backOff',
    cause,
  });

type ProfilePlace = { readonly clusterName: string; readonly region: string; readonly role: string };

/** Follows from what the NodeClass is and its role, so that a second try finds the profile of the first. */
export function nameInstanceProfile({ metadata }: EC2NodeClass, { clusterName, region, role }: ProfilePlace): string {
  const hash = createHash('sha256').update([region, metadata.name, metadata.uid, role].join('\n')).digest('hex');
  return `${clusterName}_${hash.slice(0, 20)}`;
}
