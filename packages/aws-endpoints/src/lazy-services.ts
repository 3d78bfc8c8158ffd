import type { AwsService, ServiceName } from './service.ts';

type Loaders = Readonly<Partial<Record<ServiceName, () => Promise<AwsService>>>>;

/** Services by name; each brings its SDK client's schemas along and is loaded when first called, and once. */
export function lazyServices(loaders: Loaders) {
  const loaded = new Map<ServiceName, Promise<AwsService>>();
  const get = (name: ServiceName): Promise<AwsService> => {
    const service = loaded.get(name) ?? loadService(loaders, name);
    loaded.set(name, service);
    return service;
  };
  const loadAll = (): Promise<readonly AwsService[]> =>
    Promise.all(Object.keys(loaders).map((name) => get(name as ServiceName)));
  return { get, loadAll };
}

function loadService(loaders: Loaders, name: ServiceName): Promise<AwsService> {
  const loader = loaders[name];
  if (loader === undefined) throw new Error(`the sandbox has no service ${name}`);
  return loader();
}
