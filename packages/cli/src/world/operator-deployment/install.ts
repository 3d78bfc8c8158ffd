import { deployments, type KubernetesObject, namespaces, type ResourceType, services } from '@nodewright/apis';
import { ApiError, type KubernetesClient } from '@nodewright/runtime';
import {
  type EnvironmentVariable,
  operatorDeployment,
  type OperatorDeploymentName,
  operatorService,
  operatorServiceAccount,
  operatorServiceAccounts,
} from './manifests.ts';

/**
 * Creates the Deployment of the operator with what belongs to it. What is there stays as it is, but for the variables
 * that are given anew.
 */
export async function installOperator(
  client: KubernetesClient,
  at: OperatorDeploymentName,
  environment: {
    readonly initial: readonly EnvironmentVariable[];
    readonly given: readonly EnvironmentVariable[];
    /** The role in AWS that the service account names. */
    readonly roleArn?: string | undefined;
  },
): Promise<void> {
  const create = <T extends KubernetesObject>(type: ResourceType<T>, object: T) =>
    unlessThere(client.create(type, object));
  await create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: at.namespace } });
  await create(operatorServiceAccounts, operatorServiceAccount(at, environment.roleArn));
  await create(services, operatorService(at));
  const wanted = operatorDeployment(at, mergedVariables(environment.initial, environment.given));
  const created = await create(deployments, wanted);
  if (created !== undefined || environment.given.length === 0) return;
  const containers = [{ name: 'controller', env: environment.given }];
  const patch = { spec: { template: { spec: { containers } } } };
  await client.patch(deployments, at, { type: 'strategic', patch });
}

function mergedVariables(
  initial: readonly EnvironmentVariable[],
  given: readonly EnvironmentVariable[],
): readonly EnvironmentVariable[] {
  const kept = initial.filter(({ name }) => !given.some((each) => each.name === name));
  return [...kept, ...given];
}

async function unlessThere<T>(creating: Promise<T>): Promise<T | undefined> {
  try {
    return await creating;
  } catch (failure) {
    if (!(failure instanceof ApiError && failure.reason === 'AlreadyExists')) throw failure;
    return undefined;
  }
}
