import type { JsonObject } from '../schema/json.ts';
import { fillIn, within } from './fill.ts';

const claim = (object: JsonObject): JsonObject =>
  within(fillIn(object, { status: { phase: 'Pending' } }), 'spec', (spec) =>
    fillIn(spec, { volumeMode: 'Filesystem' }),
  );

const volume = (object: JsonObject): JsonObject =>
  within(fillIn(object, { status: { phase: 'Pending' } }), 'spec', (spec) =>
    fillIn(spec, { persistentVolumeReclaimPolicy: 'Retain', volumeMode: 'Filesystem' }),
  );

const storageClass = (object: JsonObject): JsonObject =>
  fillIn(object, { reclaimPolicy: 'Delete', volumeBindingMode: 'Immediate' });

const driver = (object: JsonObject): JsonObject =>
  within(object, 'spec', (spec) =>
    fillIn(spec, {
      attachRequired: true,
      podInfoOnMount: false,
      storageCapacity: false,
      fsGroupPolicy: 'ReadWriteOnceWithFSType',
      volumeLifecycleModes: ['Persistent'],
      requiresRepublish: false,
      seLinuxMount: false,
    }),
  );

/** Defaults of the storage kinds. */
export const volumeDefaults = { claim, volume, storageClass, driver };
