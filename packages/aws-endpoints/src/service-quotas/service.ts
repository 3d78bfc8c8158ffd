import {
  GetAWSDefaultServiceQuota$,
  type GetAWSDefaultServiceQuotaRequest,
  type GetAWSDefaultServiceQuotaResponse,
  GetServiceQuota$,
  type GetServiceQuotaRequest,
  type GetServiceQuotaResponse,
  ListAWSDefaultServiceQuotas$,
  type ListAWSDefaultServiceQuotasRequest,
  type ListAWSDefaultServiceQuotasResponse,
  ListServiceQuotas$,
  type ListServiceQuotasRequest,
  type ListServiceQuotasResponse,
  ListServices$,
  type ListServicesRequest,
  type ListServicesResponse,
} from '@aws-sdk/client-service-quotas';
import type { Account } from '../account.ts';
import { AwsError } from '../codec/aws-error.ts';
import { jsonProtocol } from '../codec/json-protocol.ts';
import { type VcpuQuota, vcpuQuotas, vcpusGranted } from '../ec2/vcpu-quotas.ts';
import type { Faults } from '../faults.ts';
import { type Page, pageOf } from '../paging.ts';
import { operation, type Service } from '../service.ts';
import { ec2, quotaOnTheWire } from './quota-on-the-wire.ts';

/** The quotas of EC2 that count vCPUs: those that launches here are held to. */
export function serviceQuotasService(deps: { readonly account: Account; readonly faults: Faults }): Service {
  const { region, id: accountId } = deps.account;
  const applied = (quota: VcpuQuota) => quotaOnTheWire(quota, vcpusGranted(quota, deps.faults), { region, accountId });
  const usual = (quota: VcpuQuota) => quotaOnTheWire(quota, quota.usualVcpus, { region });
  return {
    name: 'servicequotas',
    protocol: jsonProtocol({ version: '1.1' }),
    operations: [
      operation(
        ListServiceQuotas$,
        ({ QuotaCode: code, ...request }: ListServiceQuotasRequest): ListServiceQuotasResponse => {
          const quotas = quotasOf(request.ServiceCode).filter((quota) => quota.code === (code ?? quota.code));
          const { items, next } = page(quotas, request);
          return { Quotas: items.map(applied), ...(next && { NextToken: next }) };
        },
      ),
      operation(
        ListAWSDefaultServiceQuotas$,
        (request: ListAWSDefaultServiceQuotasRequest): ListAWSDefaultServiceQuotasResponse => {
          const { items, next } = page(quotasOf(request.ServiceCode), request);
          return { Quotas: items.map(usual), ...(next && { NextToken: next }) };
        },
      ),
      operation(GetServiceQuota$, (request: GetServiceQuotaRequest): GetServiceQuotaResponse => ({
        Quota: applied(quotaNamed(request)),
      })),
      operation(
        GetAWSDefaultServiceQuota$,
        (request: GetAWSDefaultServiceQuotaRequest): GetAWSDefaultServiceQuotaResponse => ({
          Quota: usual(quotaNamed(request)),
        }),
      ),
      operation(ListServices$, (request: ListServicesRequest): ListServicesResponse => ({
        Services: [...page([ec2], request).items],
      })),
    ],
  };
}

type Named = { readonly ServiceCode: string | undefined; readonly QuotaCode: string | undefined };

function quotaNamed({ ServiceCode: service, QuotaCode: code }: Named): VcpuQuota {
  const quota = quotasOf(service).find((each) => each.code === code);
  if (quota === undefined) throw missing(`The service ec2 has no quota ${code} here that counts vCPUs.`);
  return quota;
}

function quotasOf(service: string | undefined): readonly VcpuQuota[] {
  if (service !== ec2.ServiceCode) throw missing(`The sandbox has no quotas of the service ${service}, only of ec2.`);
  return vcpuQuotas;
}

const missing = (message: string): AwsError => new AwsError('NoSuchResourceException', message);

type Paged = { readonly MaxResults?: number | undefined; readonly NextToken?: string | undefined };

const most = 100;

function page<T>(all: readonly T[], { MaxResults: size = most, NextToken: token }: Paged): Page<T> {
  if (size < 1 || size > most) {
    throw new AwsError('IllegalArgumentException', `maxResults is ${size}, wanted 1 to ${most}`);
  }
  return pageOf(all, { size, token, refuse: badToken });
}

const badToken = (token: string): AwsError =>
  new AwsError('InvalidPaginationTokenException', `The pagination token is invalid: ${token}`);
