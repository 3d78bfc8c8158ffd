import {
  AssociateIamInstanceProfile$,
  AttachVolume$,
  CancelSpotInstanceRequests$,
  CopySnapshot$,
  CreateSnapshot$,
  CreateSnapshots$,
  CreateVolume$,
  DeleteSnapshot$,
  DeleteVolume$,
  DescribeFleetHistory$,
  DescribeFleetInstances$,
  DescribeFleets$,
  DescribeIamInstanceProfileAssociations$,
  DescribeVolumes$,
  DescribeVolumesModifications$,
  DetachVolume$,
  DisassociateIamInstanceProfile$,
  ModifyVolume$,
  ReplaceIamInstanceProfileAssociation$,
  RequestSpotInstances$,
} from '@aws-sdk/client-ec2';
import type { AwsOperation } from '../service.ts';
import { describeVolumes } from './describe-volumes.ts';
import { describeFleetHistory, describeFleetInstances, describeFleets } from './describe-fleets.ts';
import { describeProfileAssociations } from './instance-profile-associations.ts';
import type { Ec2 } from './model.ts';
import { describeVolumesModifications, startVolumeChange } from './modify-volume.ts';
import { operationKinds } from './operation-kinds.ts';
import {
  associateInstanceProfile,
  disassociateInstanceProfile,
  replaceInstanceProfile,
} from './profile-association-operations.ts';
import { copySnapshot, createSnapshot, createSnapshots, deleteSnapshot } from './snapshot-operations.ts';
import { cancelSpotRequests, requestSpotInstances } from './spot-request-operations.ts';
import { attachVolume, createVolume, deleteVolume, detachVolume } from './volume-operations.ts';

/** The calls about volumes, snapshots, instance profiles of instances, and requests for spot instances. */
export function listVolumeAndProfileCalls(ec2: Ec2): readonly AwsOperation[] {
  const { read, write } = operationKinds(ec2);
  return [
    write(AssociateIamInstanceProfile$, associateInstanceProfile),
    write(AttachVolume$, attachVolume),
    write(CancelSpotInstanceRequests$, cancelSpotRequests),
    write(CopySnapshot$, copySnapshot),
    write(CreateSnapshot$, createSnapshot),
    write(CreateSnapshots$, createSnapshots),
    write(DeleteSnapshot$, deleteSnapshot),
    write(CreateVolume$, createVolume),
    write(DeleteVolume$, deleteVolume),
    read(DescribeFleetHistory$, describeFleetHistory),
    read(DescribeFleetInstances$, describeFleetInstances),
    read(DescribeFleets$, describeFleets),
    write(DescribeIamInstanceProfileAssociations$, describeProfileAssociations),
    read(DescribeVolumes$, describeVolumes),
    read(DescribeVolumesModifications$, describeVolumesModifications),
    write(DetachVolume$, detachVolume),
    write(DisassociateIamInstanceProfile$, disassociateInstanceProfile),
    write(ModifyVolume$, startVolumeChange),
    write(ReplaceIamInstanceProfileAssociation$, replaceInstanceProfile),
    write(RequestSpotInstances$, requestSpotInstances),
  ];
}
