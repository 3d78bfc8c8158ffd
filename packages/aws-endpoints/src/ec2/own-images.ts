import { type Instant, toTimestamp } from '@nodewright/apis';
import type { Random, Ledger } from '@nodewright/runtime';
import type { ImageRelease } from '../releases/release.ts';
import { imageNameTaken, malformedImageName, noSuchImage, notYourImage } from './errors.ts';

/** An image that the account made. */
export type OwnImage = {
  readonly id: string;
  readonly name: string;
  readonly description?: string;
  readonly createdAt: string;
  readonly deprecatedAt?: string | undefined;
  readonly isPublic: boolean;
  /** Accounts that may launch it, too. */
  readonly sharedWith?: readonly string[];
  /** What it is a copy of; an image registered from a snapshot may hold anything. */
  readonly base?: ImageRelease;
  /** The instance that it was made of. */
  readonly sourceInstanceId?: string;
  /** What it was registered from. */
  readonly rootSnapshot?: { readonly id: string; readonly sizeGib: number; readonly encrypted: boolean };
  readonly arch: ImageRelease['arch'];
  /** Instances of it may still run. */
  readonly isDeregistered: boolean;
};

type NewImage = Pick<OwnImage, 'name' | 'arch' | 'base' | 'sourceInstanceId' | 'rootSnapshot'> & {
  readonly description: string | undefined;
};

/** The images of the account itself, by id. */
export class OwnImages {
  readonly #images: Map<string, OwnImage>;
  readonly #random: Random;

  constructor(random: Random, ledger: Ledger) {
    this.#random = random;
    this.#images = ledger.map('ec2/own-images');
  }

  /** Lists the images that are not deregistered, in the order of their creation. */
  all(): readonly OwnImage[] {
    return [...this.#images.values()].filter((image) => !image.isDeregistered);
  }

  /** Also one that is deregistered. */
  get(id: string): OwnImage | undefined {
    return this.#images.get(id);
  }

  /** @throws AwsError for a name that is taken, or none */
  requireFree(name: string): void {
    if (!/^[\w ()[\]./'@-]{3,128}$/.test(name)) throw malformedImageName();
    const taken = this.all().find((known) => known.name === name);
    if (taken !== undefined) throw imageNameTaken(name, taken.id);
  }

  /** @throws AwsError for a name that is taken, or none */
  make({ name, description, ...image }: NewImage, now: Instant): OwnImage {
    this.requireFree(name);
    const made: OwnImage = {
      ...image,
      id: `ami-0${this.#random.hex(16)}`,
      name,
      ...(description === undefined ? {} : { description }),
      createdAt: toTimestamp(now),
      isPublic: false,
      isDeregistered: false,
    };
    this.#images.set(made.id, made);
    return made;
  }

  /**
   * @param isThere whether any account has such an image
   * @throws AwsError for an image that is not there, or another's
   */
  change(id: string, isThere: boolean, change: (image: OwnImage) => OwnImage): void {
    this.#images.set(id, change(this.requireOwn(id, isThere)));
  }

  /** Finds an image of the account. @throws AwsError for an image that is not there, or another's */
  requireOwn(id: string, isThere: boolean): OwnImage {
    const image = this.#images.get(id);
    if (image !== undefined && !image.isDeregistered) return image;
    throw isThere ? notYourImage(id) : noSuchImage(id);
  }
}
