import { partitionOfRegion } from '@nodewright/apis';
import { type HttpRequest, type Ledger, keepUnderPrefix } from '@nodewright/runtime';
import { type AwsAccount, accountIdOfArn, iamArnOf } from './account.ts';
import type { AuthorizeCall } from './authorization/authorize-call.ts';
import { isRegionOf } from './ec2/describe-regions.ts';
import type { ForeignImage } from './ec2/images.ts';
import type { FurtherModels, PlaceOfModels } from './further-models.ts';
import { memberRole } from './iam/member-role.ts';
import type { FirstRole, Iam, Role } from './iam/model.ts';
import type { UserCaller } from './iam/users.ts';
import { createServices } from './service-loaders.ts';
import type { AwsService, ServiceName } from './service.ts';
import type { AccessKey } from './signature/access-key.ts';
import { readSignature } from './signature/read-signature.ts';
import { refuseRegion } from './signature/signature-refusal.ts';
import type { Sessions } from './sts/sessions.ts';

/** Another region, or another account, as the endpoint serves it. */
export type FurtherPlace = {
  readonly service: (name: ServiceName) => Promise<AwsService>;
  readonly authorize?: AuthorizeCall;
};

type FurtherPlacesDeps = {
  readonly home: { readonly account: AwsAccount; readonly iam: Iam };
  readonly sessions: Sessions;
  /** The key of the administrator, who is no user that was created. */
  readonly accessKey: AccessKey | undefined;
  readonly ledger: Ledger;
  readonly create: (at: PlaceOfModels) => FurtherModels;
  /** The IAM of another account, which begins with these roles. */
  readonly createIam: (account: AwsAccount, ledger: Ledger, firstRoles: readonly FirstRole[]) => Iam;
  /** Returns who may do what with the models of a place [everybody may do everything]. */
  readonly authorizeIn: (models: FurtherModels) => AuthorizeCall | undefined;
};

/** Their records belong to an account and no region. */
const globalServices: ReadonlySet<ServiceName> = new Set(['iam', 'pricing', 'sts']);

/**
 * Every other region of the account, and every other account that a session is in. They begin when they are first asked for
 * something, with what AWS gives to a new account, and keep their state in the ledger beside that of the cluster's region.
 */
export class FurtherPlaces {
  readonly #deps: FurtherPlacesDeps;
  readonly #places = new Map<string, FurtherPlace & { readonly models: FurtherModels }>();
  readonly #iams = new Map<string, Iam>();

  constructor(deps: FurtherPlacesDeps) {
    this.#deps = deps;
  }

  /** Goes on with what was under way before a restart. */
  resume(): void {
    for (const name of this.#deps.ledger.names()) {
      const [, id, region] = /^places\/(\d{12})\/([^/]+)\//.exec(name) ?? [];
      if (id !== undefined && region !== undefined && !this.#places.has(`${id} ${region}`))
        this.#placeAt({ id, region }).models.resume();
    }
  }

  /** Where a request belongs by its signature; `undefined` where the cluster is. @throws AwsError for a region that there is not */
  find(service: ServiceName, request: HttpRequest): FurtherPlace | undefined {
    const read = readSignature(request);
    if (read.kind !== 'present') return undefined;
    const { account: home } = this.#deps.home;
    const { accessKeyId, scope } = read.signature;
    const arn = this.#deps.sessions.find(accessKeyId)?.role.arn ?? this.findUserKey(accessKeyId)?.user.arn;
    const id = arn === undefined ? home.id : accountIdOfArn(arn);
    const region = globalServices.has(service) ? home.region : scope.region;
    if (id === home.id && region === home.region) return undefined;
    if (!isRegionOf(home, region)) throw refuseRegion(service, region);
    return this.#placeAt({ id, region });
  }

  /** Returns what another region or account has. */
  modelsAt(account: AwsAccount): FurtherModels {
    return this.#placeAt(account).models;
  }

  /** Finds a role of any account. Accounts beside the own one have the role of members of an organization. */
  findRole(arn: string): Role | undefined {
    const { home } = this.#deps;
    const id = accountIdOfArn(arn);
    if (arn.split(':')[1] !== partitionOfRegion(home.account.region).name) return undefined;
    if (id !== home.account.id && !/^\d{12}$/.test(id)) return undefined;
    const isKnown = id === home.account.id || this.#iams.has(id) || this.#isKept(id);
    if (!isKnown && !arn.endsWith(`role/${memberRole}`)) return undefined;
    return this.#iamOf(id)
      .roles()
      .find((role) => role.arn === arn);
  }

  /** Finds the user of any account who has an active key. */
  findUserKey(accessKeyId: string): UserCaller | undefined {
    const { home, ledger, accessKey } = this.#deps;
    if (!accessKeyId.startsWith('AKIA') || accessKeyId === accessKey?.accessKeyId) return undefined;
    const kept = ledger.names().flatMap((name) => /^accounts\/(\d{12})\/iam\/users$/.exec(name)?.[1] ?? []);
    for (const id of new Set([home.account.id, ...this.#iams.keys(), ...kept])) {
      const caller = this.#iamOf(id).users.findCaller(accessKeyId);
      if (caller !== undefined) return caller;
    }
    return undefined;
  }

  /** Images that other accounts registered in the region of this account. */
  listImagesOfOthers({ id, region }: AwsAccount): readonly ForeignImage[] {
    return [...this.#places.values()].flatMap(({ models: { account, ec2 } }) =>
      account.id !== id && account.region === region
        ? ec2.images.own.all().map((image) => ({ ownerId: account.id, image }))
        : [],
    );
  }

  #isKept(id: string): boolean {
    return this.#deps.ledger.names().some((name) => name.startsWith(`accounts/${id}/`));
  }

  #iamOf(id: string): Iam {
    const { home, ledger, createIam } = this.#deps;
    if (id === home.account.id) return home.iam;
    const known = this.#iams.get(id);
    if (known !== undefined) return known;
    const iam = createIam({ ...home.account, id }, keepUnderPrefix(ledger, `accounts/${id}/`), [{ name: memberRole }]);
    this.#iams.set(id, iam);
    if (iam.roles().some(({ name, attached }) => name === memberRole && attached === undefined))
      iam.changeRole(memberRole, { trust: trustOfMember(home.account), attached: [administrators(home.account)] });
    return iam;
  }

  #placeAt(account: AwsAccount): FurtherPlace & { readonly models: FurtherModels } {
    const label = `${account.id} ${account.region}`;
    const known = this.#places.get(label);
    if (known !== undefined) return known;
    const { ledger, create, authorizeIn } = this.#deps;
    const under = keepUnderPrefix(ledger, `places/${account.id}/${account.region}/`);
    const models = create({ account, label, iam: this.#iamOf(account.id), ledger: under });
    const authorize = authorizeIn(models);
    const place = { models, service: createServices(models).get, ...(authorize && { authorize }) };
    this.#places.set(label, place);
    return place;
  }
}

const administrators = ({ region }: AwsAccount): string =>
  `arn:${partitionOfRegion(region).name}:iam::aws:policy/AdministratorAccess`;

const trustOfMember = (organization: AwsAccount): string =>
  JSON.stringify({
    Version: '2012-10-17',
    Statement: [{ Effect: 'Allow', Principal: { AWS: iamArnOf(organization, 'root') }, Action: 'sts:AssumeRole' }],
  });
