module boathook.example/receiver

go 1.21
