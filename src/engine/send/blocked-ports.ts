/**
 * The Fetch standard's blocked ports (https://fetch.spec.whatwg.org/#port-blocking): those of other protocols.
 */
const BLOCKED_BY_FETCH: readonly number[] = [
  0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104,
  109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515,
  526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049,
  3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
];

/**
 * Ports of databases, caches, queues, orchestrators and consoles that are never public. A deny list, since
 * receivers use 8443, 3000 and other high ports.
 */
const INTERNAL_SERVICES: readonly (readonly [service: string, ...ports: number[]])[] = [
  ["SMB", 445],
  ["rsync", 873],
  ["SQL Server", 1433, 1434],
  ["Oracle", 1521],
  ["ZooKeeper", 2181],
  ["Docker", 2375, 2376],
  ["Docker Swarm", 2377],
  ["etcd", 2379, 2380],
  ["MySQL", 3306],
  ["Remote Desktop", 3389],
  ["Erlang port mapper", 4369],
  ["Nomad", 4646],
  ["PostgreSQL", 5432],
  ["AMQP", 5671, 5672],
  ["VNC", 5900],
  ["CouchDB", 5984, 6984],
  ["WinRM", 5985, 5986],
  ["Redis", 6379, 16379, 26379],
  ["Kubernetes", 6443, 10257, 10259],
  ["Cassandra", 7000, 7001, 9042, 9160],
  ["Neo4j", 7473, 7474, 7687],
  ["InfluxDB", 8086],
  ["Vault", 8200],
  ["Consul", 8300, 8301, 8302, 8500, 8501, 8502, 8600],
  ["Kafka", 9092],
  ["Prometheus node exporter", 9100],
  ["Elasticsearch", 9200, 9300],
  ["kubelet", 10250, 10255],
  ["kube-proxy", 10256],
  ["memcached", 11211],
  ["RabbitMQ", 15672],
  ["CockroachDB", 26257],
  ["MongoDB", 27017, 27018, 27019],
  ["RethinkDB", 28015],
];

const services: ReadonlyMap<number, string> = new Map(
  INTERNAL_SERVICES.flatMap(([service, ...ports]) => ports.map((port) => [port, service] as const)),
);

const blockedByFetch: ReadonlySet<number> = new Set(BLOCKED_BY_FETCH);

/** Why a delivery to this port is refused, or null. */
export function blockedPortReason(port: number): string | null {
  if (port === 0) return "port 0 is none that anything listens on";
  if (blockedByFetch.has(port)) return `port ${port} belongs to another protocol`;
  const service = services.get(port);
  return service === undefined ? null : `port ${port} is where ${service} listens`;
}
