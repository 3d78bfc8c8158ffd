import { byTextOf, type Instant } from '@nodewright/apis';
import type { Clock, Random, Ledger } from '@nodewright/runtime';
import { iamArnOf, type AwsAccount } from '../account.ts';
import {
  deleteConflict,
  noSuchIamProfile,
  noSuchIamRole,
  profileExists,
  profileHasRole,
  roleExists,
} from './errors.ts';
import type { ManagedPolicy } from './managed-policies.ts';
import type { OidcProvider } from './oidc-provider.ts';
import type { AccessKey } from '../signature/access-key.ts';
import { IamUsers } from './users.ts';

export type Role = {
  readonly name: string;
  readonly id: string;
  readonly arn: string;
  readonly path: string;
  readonly createdAt: Instant;
  /** JSON: who may assume it. */
  readonly trust: string;
  readonly description?: string;
  readonly sessionSeconds?: number;
  /** The ARN of the policy that bounds its permissions. It is told, and has no effect. */
  readonly boundary?: string;
  /** Inline policies by their names, as JSON. */
  readonly policies?: Readonly<Record<string, string>>;
  /** The ARNs of managed policies. */
  readonly attached?: readonly string[];
  readonly tags?: Readonly<Record<string, string>>;
};

export type InstanceProfile = {
  readonly name: string;
  readonly id: string;
  readonly arn: string;
  readonly path: string;
  readonly createdAt: Instant;
  readonly roleName?: string;
  readonly tags: Readonly<Record<string, string>>;
};

/** A role of a new account. Instances may assume it, unless it trusts others. */
export type FirstRole = Pick<Role, 'name'> & Partial<Pick<Role, 'trust'>>;

type IamDeps = {
  readonly clock: Clock;
  readonly random: Random;
  readonly account: AwsAccount;
  readonly ledger: Ledger;
  /** The key of the administrator; the secrets of other keys follow from it [none]. */
  readonly accessKey?: AccessKey | undefined;
};

/** Roles, some of which exist from the start, and the instance profiles that are made for them. */
export class Iam {
  readonly #deps: IamDeps;
  readonly #roles: Map<string, Role>;
  readonly #profiles: Map<string, InstanceProfile>;
  readonly users: IamUsers;
  /** By their ARNs. */
  readonly oidcProviders: Map<string, OidcProvider>;
  /** Those of the account, by their ARNs. */
  readonly managedPolicies: Map<string, ManagedPolicy>;

  constructor(deps: IamDeps, firstRoles: readonly FirstRole[]) {
    this.#deps = deps;
    this.users = new IamUsers({ ...deps, accessKey: deps.accessKey });
    this.#roles = deps.ledger.map('iam/roles');
    this.#profiles = deps.ledger.map('iam/instance-profiles');
    this.managedPolicies = deps.ledger.map('iam/policies');
    this.oidcProviders = deps.ledger.map('iam/oidc-providers');
    if (this.#roles.size > 0) return;
    for (const { name, trust } of firstRoles)
      this.#roles.set(name, { ...this.#newRole(name), ...(trust && { trust }) });
  }

  now(): Instant {
    return this.#deps.clock.now();
  }

  /** A new id of a policy. */
  newPolicyId(): string {
    return newId('ANPA', this.#deps.random);
  }

  /** An ARN of the account: `arn:aws:iam::111122223333:policy/name`. */
  arnOf(resource: string): string {
    return iamArnOf(this.#deps.account, resource);
  }

  roles(): readonly Role[] {
    return [...this.#roles.values()].toSorted(byTextOf(({ name }) => name));
  }

  findRole(name: string): Role | undefined {
    return this.#roles.get(name);
  }

  /** @throws AwsError `NoSuchEntity` */
  role(name: string): Role {
    const role = this.findRole(name);
    if (role === undefined) throw noSuchIamRole(name);
    return role;
  }

  createRole({
    name,
    trust,
    path,
    ...rest
  }: Pick<Role, 'name' | 'trust' | 'path' | 'description' | 'sessionSeconds' | 'boundary' | 'tags'>): Role {
    if (this.#roles.has(name)) throw roleExists(name);
    const role = { ...this.#newRole(name, path), ...rest, trust };
    this.#roles.set(name, role);
    return role;
  }

  /** Changes a role. @throws AwsError `NoSuchEntity` */
  changeRole(name: string, change: Partial<Omit<Role, 'name' | 'id' | 'arn'>>): Role {
    const role = { ...this.role(name), ...change };
    this.#roles.set(name, role);
    return role;
  }

  /** @throws AwsError when it still has policies, or an instance profile still holds it */
  deleteRole(name: string): void {
    const { policies = {}, attached = [] } = this.role(name);
    if (Object.keys(policies).length > 0) throw deleteConflict('Cannot delete entity, must delete policies first.');
    if (attached.length > 0) throw deleteConflict('Cannot delete entity, must detach all policies first.');
    if (this.profiles().some(({ roleName }) => roleName === name)) throw deleteConflict();
    this.#roles.delete(name);
  }

  profiles(): readonly InstanceProfile[] {
    return [...this.#profiles.values()].toSorted(byTextOf(({ name }) => name));
  }

  findProfile(name: string): InstanceProfile | undefined {
    return this.#profiles.get(name);
  }

  /** @throws AwsError `NoSuchEntity` */
  profile(name: string): InstanceProfile {
    const profile = this.#profiles.get(name);
    if (profile === undefined) throw noSuchIamProfile(name);
    return profile;
  }

  createProfile({ name, path, tags }: Pick<InstanceProfile, 'name' | 'path' | 'tags'>): InstanceProfile {
    if (this.#profiles.has(name)) throw profileExists(name);
    const { account, clock, random } = this.#deps;
    const arn = iamArnOf(account, `instance-profile${path}${name}`);
    return this.#keep({ name, path, tags, arn, id: newId('AIPA', random), createdAt: clock.now() });
  }

  /** A profile holds one role. */
  addRole(profileName: string, roleName: string): void {
    const profile = this.profile(profileName);
    this.role(roleName);
    if (profile.roleName !== undefined) throw profileHasRole();
    this.#keep({ ...profile, roleName });
  }

  removeRole(profileName: string, roleName: string): void {
    const { roleName: current, ...profile } = this.profile(profileName);
    if (current !== roleName) throw noSuchIamRole(roleName);
    this.#keep(profile);
  }

  tagProfile(name: string, tags: Readonly<Record<string, string>>): void {
    const profile = this.profile(name);
    this.#keep({ ...profile, tags: { ...profile.tags, ...tags } });
  }

  deleteProfile(name: string): void {
    if (this.profile(name).roleName !== undefined) throw deleteConflict();
    this.#profiles.delete(name);
  }

  #keep(profile: InstanceProfile): InstanceProfile {
    this.#profiles.set(profile.name, profile);
    return profile;
  }

  #newRole(name: string, path = '/'): Role {
    const { account, clock, random } = this.#deps;
    const arn = iamArnOf(account, `role${path}${name}`);
    return { name, arn, path, id: newId('AROA', random), createdAt: clock.now(), trust: trustOfNodes(account) };
  }
}

const newId = (prefix: string, random: Random): string => `${prefix}${random.hex(17).toUpperCase()}`;

function trustOfNodes({ region }: AwsAccount): string {
  const Service = region.startsWith('cn-') ? 'ec2.amazonaws.com.cn' : 'ec2.amazonaws.com';
  const Statement = [{ Effect: 'Allow', Principal: { Service }, Action: 'sts:AssumeRole' }];
  return JSON.stringify({ Version: '2012-10-17', Statement });
}
