import type { JsonObject } from '../schema/json.ts';
import { fillIn, changeMember } from './fill.ts';

const withPhase = (object: JsonObject): JsonObject =>
  changeMember(fillIn(object, { status: {} }), 'status', (status) => fillIn(status, { phase: 'Pending' }));

const claimDefaults = (object: JsonObject): JsonObject =>
  changeMember(fillIn(withPhase(object), { spec: {} }), 'spec', (spec) => fillIn(spec, { volumeMode: 'Filesystem' }));

const persistentVolumeDefaults = (object: JsonObject): JsonObject =>
  changeMember(fillIn(withPhase(object), { spec: {} }), 'spec', (spec) =>
    fillIn(spec, { persistentVolumeReclaimPolicy: 'Retain', volumeMode: 'Filesystem' }),
  );

const storageClassDefaults = (object: JsonObject): JsonObject =>
  fillIn(object, { reclaimPolicy: 'Delete', volumeBindingMode: 'Immediate' });

const driverDefaults = (object: JsonObject): JsonObject =>
  changeMember(fillIn(object, { spec: {} }), 'spec', (spec) =>
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
export const volumeDefaults = {
  claim: claimDefaults,
  volume: persistentVolumeDefaults,
  storageClass: storageClassDefaults,
  driver: driverDefaults,
};
