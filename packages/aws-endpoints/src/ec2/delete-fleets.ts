import type { DeleteFleetsRequest, DeleteFleetsResult } from '@aws-sdk/client-ec2';
import { dryRunWouldSucceed, invalidCombination, missingParameter } from './errors.ts';
import { listFleetInstances } from './fleet-instances.ts';
import type { Ec2 } from './model.ts';

/** Ends the instances of instant fleets, which EC2 deletes in no other way. A fleet is known by its instances. */
export function deleteFleets(ec2: Ec2, request: DeleteFleetsRequest): DeleteFleetsResult {
  const { FleetIds: ids = [], TerminateInstances: ends } = request;
  if (ids.length === 0) throw missingParameter('FleetId');
  if (ends === undefined) throw missingParameter('TerminateInstances');
  const known = ids.filter((id) => listFleetInstances(ec2, id).length > 0);
  if (!ends && known.length > 0)
    throw invalidCombination(
      'Instant fleets cannot be deleted without their instances: TerminateInstances must be true.',
    );
  if (request.DryRun === true) throw dryRunWouldSucceed();
  for (const id of known) for (const instance of listFleetInstances(ec2, id)) ec2.instances.terminate(instance.id);
  return {
    SuccessfulFleetDeletions: known.map((FleetId) => ({
      FleetId,
      PreviousFleetState: 'active',
      CurrentFleetState: 'deleted_terminating',
    })),
    UnsuccessfulFleetDeletions: ids
      .filter((id) => !known.includes(id))
      .map((FleetId) => ({
        FleetId,
        Error: { Code: 'fleetIdDoesNotExist', Message: `The fleet ID '${FleetId}' does not exist` },
      })),
  };
}
