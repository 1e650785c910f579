package receiver

import (
	"container/list"
	"context"
	"sync"
	"time"
)

// Claim is what a SeenStore knows of a delivery.
type Claim int

const (
	// Claimed: the caller handles the delivery.
	Claimed Claim = iota
	// Busy: another handles it, and may fail.
	Busy
	// Done: it was handled.
	Done
)

// SeenTime is how long a handled id is remembered. Retries take nine hours at most, and a delivery of an inactive
// endpoint waits up to three days before its next attempt.
const SeenTime = 96 * time.Hour

// SeenEntriesMax is the most ids that NewMemorySeen remembers unless told.
const SeenEntriesMax = 100_000

// SeenStore remembers which deliveries were handled, so a duplicate is answered and not handled again (spec 5.1:
// replay).
//
//	(unknown) → Claim → Busy → Complete → Done → (unknown), after SeenTime
//	                     ├───→ Release  → (unknown)
//	                     └───→ (unknown), when the lease ends
type SeenStore interface {
	// Claim is one atomic step: Claimed makes the id busy for the lease; Busy and Done change nothing.
	Claim(ctx context.Context, id string, lease time.Duration) (Claim, error)
	// Complete remembers that the delivery was handled.
	Complete(ctx context.Context, id string) error
	// Release forgets the id, so the retry is handled.
	Release(ctx context.Context, id string) error
}

type memorySeen struct {
	mutex      sync.Mutex
	entriesMax int
	now        func() time.Time
	entries    map[string]*list.Element
	// The oldest first.
	order *list.List
}

type seenEntry struct {
	id     string
	state  Claim
	endsAt time.Time
}

// NewMemorySeen is a store in this process's memory: bounded, and gone with the process. Zero means SeenEntriesMax.
func NewMemorySeen(entriesMax int) SeenStore {
	if entriesMax <= 0 {
		entriesMax = SeenEntriesMax
	}
	return &memorySeen{entriesMax: entriesMax, now: time.Now, entries: map[string]*list.Element{}, order: list.New()}
}

func (s *memorySeen) Claim(_ context.Context, id string, lease time.Duration) (Claim, error) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if element, known := s.entries[id]; known {
		if entry := element.Value.(seenEntry); entry.endsAt.After(s.now()) {
			return entry.state, nil
		}
	}
	s.put(id, Busy, lease)
	return Claimed, nil
}

func (s *memorySeen) Complete(_ context.Context, id string) error {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.put(id, Done, SeenTime)
	return nil
}

func (s *memorySeen) Release(_ context.Context, id string) error {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.remove(id)
	return nil
}

func (s *memorySeen) put(id string, state Claim, lasts time.Duration) {
	s.remove(id)
	now := s.now()
	for oldest := s.order.Front(); oldest != nil; oldest = s.order.Front() {
		entry := oldest.Value.(seenEntry)
		if entry.endsAt.After(now) && s.order.Len() < s.entriesMax {
			break
		}
		s.remove(entry.id)
	}
	s.entries[id] = s.order.PushBack(seenEntry{id, state, now.Add(lasts)})
}

func (s *memorySeen) remove(id string) {
	if element, known := s.entries[id]; known {
		s.order.Remove(element)
		delete(s.entries, id)
	}
}
