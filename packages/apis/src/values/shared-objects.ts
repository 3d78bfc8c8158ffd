type SealSharedObject = (object: object) => void;

let sealSharedObject: SealSharedObject = () => undefined;

/**
 * Announces that an object is shared from now on: something is worked out from it, or a store hands it to many readers.
 *
 * Guarantees: the product does nothing with it. In tests the object is frozen with all that it holds, so that a change
 * in place throws.
 *
 * @returns the same object
 * @see docs/adr/0007-identity-is-the-version.md
 */
export function shareObject<Shared extends object>(object: Shared): Shared {
  sealSharedObject(object);
  return object;
}

/** Says what happens to shared objects. Only the setup of the tests calls it. */
export function sealSharedObjectsWith(seal: SealSharedObject): void {
  sealSharedObject = seal;
}
