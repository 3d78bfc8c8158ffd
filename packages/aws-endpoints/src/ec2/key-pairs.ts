import { byTextOf, toTimestamp } from '@nodewright/apis';
import type { Clock, Ledger, Random } from '@nodewright/runtime';
import { AwsError } from '../codec/aws-error.ts';
import type { TagBook, TagSet } from './tags.ts';

export type Ec2KeyPair = {
  readonly id: string;
  readonly name: string;
  readonly type: 'rsa' | 'ed25519';
  readonly fingerprint: string;
  readonly createdAt: string;
  /** Only of an imported key. */
  readonly publicKey?: string;
};

type KeyPairsDeps = {
  readonly clock: Clock;
  readonly random: Random;
  readonly tags: TagBook;
  readonly ledger: Ledger;
};

/** The key pairs of the account, by name. Instances of the sandbox have no login, so private keys are made up. */
export class KeyPairs {
  readonly #deps: KeyPairsDeps;
  readonly #byName: Map<string, Ec2KeyPair>;

  constructor(deps: KeyPairsDeps) {
    this.#deps = deps;
    this.#byName = deps.ledger.map('ec2/key-pairs');
  }

  /** Lists the key pairs, sorted by name. */
  all(): readonly Ec2KeyPair[] {
    return [...this.#byName.values()].toSorted(byTextOf(({ name }) => name));
  }

  /** @throws AwsError when there is none of this name */
  named(name: string): Ec2KeyPair {
    const found = this.#byName.get(name);
    if (found === undefined) throw new AwsError('InvalidKeyPair.NotFound', `The key pair '${name}' does not exist`);
    return found;
  }

  /** @throws AwsError for a name that is taken */
  create({ name, type, publicKey }: Pick<Ec2KeyPair, 'name' | 'type' | 'publicKey'>, tags: TagSet): Ec2KeyPair {
    this.requireFree(name);
    const { clock, random } = this.#deps;
    const pair: Ec2KeyPair = {
      id: `key-0${random.hex(16)}`,
      name,
      type,
      fingerprint: (random.hex(40).match(/../g) ?? []).join(':'),
      createdAt: toTimestamp(clock.now()),
      ...(publicKey !== undefined && { publicKey }),
    };
    this.#byName.set(name, pair);
    this.#deps.tags.add(pair.id, tags);
    return pair;
  }

  requireFree(name: string): void {
    if (this.#byName.has(name)) throw new AwsError('InvalidKeyPair.Duplicate', `The keypair '${name}' already exists.`);
  }

  /** Returns a private key that opens nothing. */
  makeMaterial(type: Ec2KeyPair['type']): string {
    const kind = type === 'rsa' ? 'RSA' : 'OPENSSH';
    const text = Buffer.from(this.#deps.random.hex(96), 'hex').toString('base64');
    return `-----BEGIN ${kind} PRIVATE KEY-----\n${text}\n-----END ${kind} PRIVATE KEY-----`;
  }

  /** Deletes a pair. One that is not there is no error. */
  delete(pair: Ec2KeyPair): void {
    this.#byName.delete(pair.name);
    this.#deps.tags.forget(pair.id);
  }
}
