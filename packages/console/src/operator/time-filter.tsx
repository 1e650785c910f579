/** From and until, as fields of the reader's zone; the address has UTC. */

type TimeFilterProps = {
  readonly since: string;
  readonly until: string;
  readonly change: (part: Readonly<Record<string, string>>) => void;
};

export function TimeFilter({ since, until, change }: TimeFilterProps) {
  return (
    <>
      <label>
        From
        <input
          type="datetime-local"
          value={localOf(since)}
          onChange={({ currentTarget }) => change({ since: utcOf(currentTarget.value) })}
        />
      </label>
      <label>
        Until
        <input
          type="datetime-local"
          value={localOf(until)}
          onChange={({ currentTarget }) => change({ until: utcOf(currentTarget.value) })}
        />
      </label>
    </>
  );
}

function utcOf(local: string): string {
  const time = new Date(local);
  return Number.isNaN(time.getTime()) ? "" : time.toISOString();
}

/** `2026-01-31T08:00`; nothing where the address holds no time. */
function localOf(utc: string): string {
  const time = new Date(utc);
  if (Number.isNaN(time.getTime())) return "";
  const two = (part: number): string => String(part).padStart(2, "0");
  const day = `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}`;
  return `${day}T${two(time.getHours())}:${two(time.getMinutes())}`;
}
