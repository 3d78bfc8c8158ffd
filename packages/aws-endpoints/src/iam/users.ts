import { createHmac } from 'node:crypto';
import { byTextOf, type Instant } from '@nodewright/apis';
import type { Clock, Ledger, Random } from '@nodewright/runtime';
import { iamArnOf, type AwsAccount } from '../account.ts';
import type { AccessKey } from '../signature/access-key.ts';
import { noSuchIamUser, unmodifiableUser, userExists } from './errors.ts';

/** A key of a user. Its secret is not kept: it follows from the secret of the administrator and the id. */
export type KeptUserKey = { readonly id: string; readonly isActive: boolean; readonly createdAt: Instant };

export type IamUser = {
  readonly name: string;
  readonly id: string;
  readonly arn: string;
  readonly path: string;
  readonly createdAt: Instant;
  readonly tags: Readonly<Record<string, string>>;
  /** The ARN of the policy that bounds its permissions. It is told, and has no effect. */
  readonly boundary?: string;
  /** Inline policies by their names, as JSON. */
  readonly policies?: Readonly<Record<string, string>>;
  /** The ARNs of managed policies. */
  readonly attached?: readonly string[];
  readonly keys: readonly KeptUserKey[];
};

/** A user of IAM who signs with a key of its own. */
export type UserCaller = AccessKey & { readonly user: Pick<IamUser, 'name' | 'id' | 'arn'> };

/** The user of the account whose key the sandbox exports. It stays as it is. */
export const administratorId = 'AIDASANDBOXADMIN00001';
export const administratorName = 'sandbox-admin';

type IamUsersDeps = {
  readonly clock: Clock;
  readonly random: Random;
  readonly account: AwsAccount;
  readonly ledger: Ledger;
  /** The key of the administrator. */
  readonly accessKey: AccessKey | undefined;
};

/** The users that were created in an account, by name. */
export class IamUsers {
  readonly #deps: IamUsersDeps;
  readonly #byName: Map<string, IamUser>;
  readonly administrator: IamUser;

  constructor(deps: IamUsersDeps) {
    const { account, accessKey, ledger } = deps;
    this.#deps = deps;
    this.#byName = ledger.map('iam/users');
    const createdAt = Date.parse('2018-06-05T00:00:00Z') as Instant;
    this.administrator = {
      name: administratorName,
      id: administratorId,
      arn: iamArnOf(account, `user/${administratorName}`),
      path: '/',
      createdAt,
      tags: {},
      keys: accessKey === undefined ? [] : [{ id: accessKey.accessKeyId, isActive: true, createdAt }],
    };
  }

  /** With the administrator, in the order of their names. */
  all(): readonly IamUser[] {
    return [this.administrator, ...this.#byName.values()].toSorted(byTextOf(({ name }) => name));
  }

  /** @throws AwsError `NoSuchEntity` */
  get(name: string): IamUser {
    const found = name === administratorName ? this.administrator : this.#byName.get(name);
    if (found === undefined) throw noSuchIamUser(name);
    return found;
  }

  create({ name, path, ...rest }: Pick<IamUser, 'name' | 'path' | 'tags' | 'boundary'>): IamUser {
    if (this.all().some((user) => user.name.toLowerCase() === name.toLowerCase())) throw userExists(name);
    const { account, random, clock } = this.#deps;
    const id = `AIDA${random.hex(17).toUpperCase()}`;
    return this.#keep({
      ...rest,
      name,
      path,
      id,
      arn: iamArnOf(account, `user${path}${name}`),
      createdAt: clock.now(),
      keys: [],
    });
  }

  /** @throws AwsError for a user that is not there, or the administrator */
  change(name: string, change: Partial<Omit<IamUser, 'name' | 'id' | 'arn' | 'path'>>): IamUser {
    return this.#keep({ ...this.getChangeable(name), ...change });
  }

  /** Gives a user another name or path; its id and keys stay. */
  rename(name: string, to: Pick<IamUser, 'name' | 'path'>): IamUser {
    const before = this.getChangeable(name);
    if (to.name !== name && this.all().some((user) => user.name.toLowerCase() === to.name.toLowerCase()))
      throw userExists(to.name);
    this.#byName.delete(name);
    return this.#keep({ ...before, ...to, arn: iamArnOf(this.#deps.account, `user${to.path}${to.name}`) });
  }

  delete(name: string): void {
    this.#byName.delete(this.getChangeable(name).name);
  }

  /** @throws AwsError for a user that is not there, or the administrator */
  getChangeable(name: string): IamUser {
    if (name === administratorName) throw unmodifiableUser(name);
    return this.get(name);
  }

  newKey(): KeptUserKey {
    const { random, clock } = this.#deps;
    return { id: `AKIA${random.hex(16).toUpperCase()}`, isActive: true, createdAt: clock.now() };
  }

  secretOf(keyId: string): string {
    return createHmac('sha256', this.#deps.accessKey?.secretAccessKey ?? 'sandbox')
      .update(`user ${keyId}`)
      .digest('base64')
      .slice(0, 40);
  }

  /** The user who signs with a key that is active. */
  findCaller(keyId: string): UserCaller | undefined {
    for (const user of this.#byName.values())
      if (user.keys.some(({ id, isActive }) => id === keyId && isActive))
        return { user, accessKeyId: keyId, secretAccessKey: this.secretOf(keyId) };
    return undefined;
  }

  #keep(user: IamUser): IamUser {
    this.#byName.set(user.name, user);
    return user;
  }
}
