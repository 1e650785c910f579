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
const INTERNAL_SERVICES: ReadonlyMap<number, string> = new Map([
  [445, "SMB"],
  [873, "rsync"],
  [1433, "SQL Server"],
  [1434, "SQL Server"],
  [1521, "Oracle"],
  [2181, "ZooKeeper"],
  [2375, "Docker"],
  [2376, "Docker"],
  [2377, "Docker Swarm"],
  [2379, "etcd"],
  [2380, "etcd"],
  [3306, "MySQL"],
  [3389, "Remote Desktop"],
  [4369, "Erlang port mapper"],
  [4646, "Nomad"],
  [5432, "PostgreSQL"],
  [5671, "AMQP"],
  [5672, "AMQP"],
  [5900, "VNC"],
  [5984, "CouchDB"],
  [5985, "WinRM"],
  [5986, "WinRM"],
  [6379, "Redis"],
  [6443, "Kubernetes"],
  [6984, "CouchDB"],
  [7000, "Cassandra"],
  [7001, "Cassandra"],
  [7473, "Neo4j"],
  [7474, "Neo4j"],
  [7687, "Neo4j"],
  [8086, "InfluxDB"],
  [8200, "Vault"],
  [8300, "Consul"],
  [8301, "Consul"],
  [8302, "Consul"],
  [8500, "Consul"],
  [8501, "Consul"],
  [8502, "Consul"],
  [8600, "Consul"],
  [9042, "Cassandra"],
  [9092, "Kafka"],
  [9100, "Prometheus node exporter"],
  [9160, "Cassandra"],
  [9200, "Elasticsearch"],
  [9300, "Elasticsearch"],
  [10250, "kubelet"],
  [10255, "kubelet"],
  [10256, "kube-proxy"],
  [10257, "Kubernetes"],
  [10259, "Kubernetes"],
  [11211, "memcached"],
  [15672, "RabbitMQ"],
  [16379, "Redis"],
  [26257, "CockroachDB"],
  [26379, "Redis"],
  [27017, "MongoDB"],
  [27018, "MongoDB"],
  [27019, "MongoDB"],
  [28015, "RethinkDB"],
]);

const blockedByFetch: ReadonlySet<number> = new Set(BLOCKED_BY_FETCH);

/** Why a delivery to this port is refused, or null. */
export function blockedPortReason(port: number): string | null {
  if (port === 0) return "port 0 is none that anything listens on";
  if (blockedByFetch.has(port)) return `port ${port} belongs to another protocol`;
  const service = INTERNAL_SERVICES.get(port);
  return service === undefined ? null : `port ${port} is where ${service} listens`;
}
