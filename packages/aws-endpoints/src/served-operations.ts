import { byText, byTextOf } from '@nodewright/apis';
import { operationName } from './codec/shape.ts';
import type { AwsService, ServiceName } from './service.ts';

/** Names of operations in alphabetical order, by the name of their service in signatures. */
export type ServedCalls = ReadonlyMap<ServiceName, readonly string[]>;

export const listServedCalls = (services: readonly AwsService[]): ServedCalls =>
  new Map(
    services
      .map(
        ({ name, operations }) =>
          [name, operations.map(({ schema }) => operationName(schema)).toSorted(byText)] as const,
      )
      .toSorted(byTextOf(([name]) => name)),
  );
